import { assertEquals } from "@std/assert";
import { DAY, HOUR } from "../../../lib/time_units.ts";
import type { Plan, ReportRun } from "../../../lib/mod.ts";
import { judgeAt, momentsFrom, runsAt } from "./runs_at.ts";

const BEGIN = Date.UTC(2026, 0, 5);

/** Daily runs at 06:00 on all days but some. */
function daily(days: number, without: readonly number[]) {
  const starts = momentsFrom(BEGIN + 6 * HOUR, days, DAY + 500);
  return runsAt(starts, 60_000).filter(({ id }) => !without.includes(id));
}

function slotsOf(
  confirmed: Pick<Plan, "cron" | "since"> | readonly Pick<Plan, "cron" | "since">[],
  runs: readonly ReportRun[],
  now: number,
) {
  const plans = [confirmed].flat().map((each) => ({ ...each, zone: "UTC", graceMs: HOUR / 6 }));
  const { schedule } = judgeAt(now, runs, { plans });
  const daysOf = (slots: readonly { readonly at: number }[] = []) =>
    slots.map(({ at }) => (at - BEGIN) / DAY);
  return { missed: daysOf(schedule?.missed), overdue: daysOf(schedule?.overdue) };
}

Deno.test("judgeSchedule: a plan confirmed now judges the newest planned run before now", () => {
  const now = BEGIN + 30 * DAY + 7 * HOUR;
  const plan = { cron: ["0 6 * * *"], since: now };
  assertEquals(slotsOf(plan, daily(30, []), now), { missed: [], overdue: [30.25] });
  assertEquals(slotsOf(plan, daily(31, []), now), { missed: [], overdue: [] });
  // Its times are new, so the day before is judged by the plan before.
  const other = { cron: ["30 6 * * *"], since: now };
  assertEquals(slotsOf(other, daily(30, []), now).overdue, [30 + 6.5 / 24]);
  assertEquals(slotsOf(other, daily(31, []), now).overdue, []);
  // It stays judged when later runs have come.
  const later = (text?: string | null) => text!.replace("T06:00", "T06:30");
  const moved = daily(34, [30]).map((run) =>
    run.id < 30 ? run : { ...run, startTime: later(run.startTime), endTime: undefined }
  );
  assertEquals(slotsOf(other, moved, now + 3 * DAY).missed, [30 + 6.5 / 24]);
  // Of a schedule that never ran, nothing shows that it existed.
  assertEquals(slotsOf(plan, [], now), { missed: [], overdue: [] });
});

Deno.test("judgeSchedule: a changed plan ends what is overdue, not what was missed", () => {
  const before = { cron: ["0 6 * * *"], since: 0 };
  // A minute after the run of the tenth day, or after it was due.
  const since = BEGIN + 10 * DAY + 6 * HOUR + 60_000;
  const judged = (without: readonly number[], cron: string, days = 0) => {
    const runs = daily(11, [5, ...without]);
    return slotsOf([before, { cron: [cron], since }], runs, since + days * DAY);
  };
  assertEquals(slotsOf(before, daily(10, [5]), since + HOUR).overdue, [10.25]);
  for (const without of [[], [10], [9, 10]]) {
    assertEquals(judged(without, "0 7 * * *"), { missed: [5.25], overdue: [] });
    const overdue = judged(without, "0 7 * * *", 1.5).overdue;
    assertEquals(overdue, [11 + 7 / 24, 10 + 7 / 24]);
  }
  // The next plan's runs, too, leave it so.
  const next = runsAt([BEGIN + 10 * DAY + 7 * HOUR]).map((run) => ({ ...run, id: 99 }));
  const runs = [...daily(9, [5]), ...next];
  const plans = [before, { cron: ["0 7 * * *"], since }];
  assertEquals(slotsOf(plans, runs, since + 2 * HOUR), { missed: [5.25], overdue: [] });
  // A day of the calendar is one in the zone of the plan that it excuses.
  const [utc, changed] = ["UTC", "Pacific/Honolulu"].map((zone) => ({ zone, graceMs: HOUR }));
  const calendar = ["2026-01-10"];
  const zones = [{ ...utc, ...before }, { ...changed, cron: ["0 7 * * *"], since }];
  assertEquals(judgeAt(since, daily(11, [5]), { plans: zones, calendar }).schedule?.missed, []);
});
