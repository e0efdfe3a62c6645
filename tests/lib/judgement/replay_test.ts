import { assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { replay, type ReportRun } from "../../../lib/mod.ts";
import { makeHistory } from "./histories/histories.ts";
import { planNamed } from "./histories/plans.ts";
import { momentsFrom, runsAt } from "./runs_at.ts";

/** A history without faults, due daily at 06:00. */
const dailyHistory = (count: number) =>
  makeHistory({ plan: planNamed("daily 06:00"), count, seed: 5 });

Deno.test("replay: with a grace of a day, sends before the next slot", () => {
  const { runs, now } = dailyHistory(40);
  for (const graceMs of [23, 24, 30].map((hours) => hours * HOUR)) {
    const plan = { cron: ["0 6 * * *"], zone: "UTC", graceMs, since: 0 };
    const due = Math.floor(Date.parse(runs[20].startTime!) / DAY) * DAY + 6 * HOUR;
    const { events, incidents } = replay(runs.toSpliced(20, 1), { until: now, plans: [plan] });
    const found = events.map(({ kind, code }) => `${kind} ${code}`);
    assertEquals(found, ["opened overdue", "passed missed"]);
    assertEquals(events[0].at, due + 0.95 * DAY + 1);
    const next = Date.parse(runs[21].startTime!);
    assertEquals([events[1].at, incidents[0].passed], [next, next]);
  }
});

Deno.test("replay: a failed run without an end is reported when it started", () => {
  const { runs, now } = dailyHistory(30);
  const [failed] = runs.slice(20);
  const some = runs.with(20, { ...failed, endTime: null, status: "failure" });
  const { incidents } = replay(some, { until: now, plans: [] });
  const found = incidents.map(({ code, opened }) => [code, opened]);
  assertEquals(found, [["failing", Date.parse(failed.startTime!)]]);
  // Of runs with the same id, the first counts.
  const repeated = [...runs, { ...failed, status: "failure" }];
  assertEquals(replay(repeated, { until: now, plans: [] }).events, []);
});

Deno.test("replay: knows who received the runs before those that it replays", () => {
  const at = (domain: string) => ({ emailAddress: `ada@${domain}` });
  const runs = runsAt(momentsFrom(Date.UTC(2026, 0, 5, 6), 30, DAY), MINUTE).map((run, index) => ({
    ...run,
    recipients: index < 20 ? [at("example.com")] : [at("example.com"), at("daughter.test")],
  }));
  const until = Date.UTC(2026, 1, 3, 12);
  const codes = (more: Partial<Parameters<typeof replay>[1]>) =>
    replay(runs, { until, ...more }).incidents.map(({ code }) => code);
  const firstStart = Date.UTC(2025, 0, 5, 6);
  const daughter = { recipient: at("daughter.test"), first: firstStart };
  const before = { firstStart, recipients: [daughter] };
  assertEquals([codes({}), codes({ before })], [["outside-recipient"], []]);
});

Deno.test("replay: takes early, endless and unlisted runs, and holidays, as watching does", () => {
  const plans = [{ cron: ["0 6 * * *"], zone: "UTC", graceMs: HOUR, since: 0 }];
  const due = momentsFrom(Date.UTC(2026, 0, 5, 6), 40, DAY);
  const sentBy = (runs: readonly ReportRun[], calendar: readonly string[] = []) =>
    replay(runs, { until: due[39] + HOUR, plans, calendar }).incidents
      .map(({ code, resolved }) => [code, resolved && due.indexOf(resolved)]);
  const [ada, eve] = ["ada@example.com", "eve@rival.test"].map((each) => ({ emailAddress: each }));
  const odd = runsAt(due.map((time, day) => time + day), MINUTE).map((run, day) => ({
    ...run,
    recipients: day === 0 ? null : day < 3 ? [ada] : [ada, eve],
    ...day === 10 && { status: "running", endTime: null, recipients: [] },
  }));
  assertEquals(sentBy(odd), [["stuck", -1]]);
  const early = due.map((time) => time - MINUTE / 2);
  assertEquals(sentBy(runsAt([...early, early[37] + HOUR], 2 * MINUTE)), [["sent-twice", 39]]);
  // A holiday does not split a gap: it passes as the one that was overdue.
  const away = runsAt(due).filter(({ id }) => id < 22 || id > 24);
  assertEquals(sentBy(away, ["2026-01-28"]), [["overdue", null]]);
});
