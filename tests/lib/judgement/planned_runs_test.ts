import { assert, assertEquals } from "@std/assert";
import { DAY, MINUTE } from "../../../lib/time_units.ts";
import { judgeSchedule } from "../../../lib/judgement/judge_schedule.ts";
import { plannedRuns } from "../../../lib/judgement/planned_runs.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import { judgeAt, momentsFrom, runAt } from "./runs_at.ts";

const FIRST = Date.UTC(2026, 0, 5, 6);
const PLAN = { cron: ["0 6 * * *"], zone: "UTC", graceMs: 10 * MINUTE, since: FIRST };

/** When the run of a day is due, plus minutes: `on(1, 30)` is 06:30 on 6 January. */
const on = (day: number, minutes = 0) => FIRST + day * DAY + minutes * MINUTE;

Deno.test("judgeSchedule: says what became of each planned run, and of those nobody planned", () => {
  const runs = [
    runAt(1, on(0)),
    runAt(2, on(1, 30)),
    runAt(3, on(2), { status: "failure" }),
    runAt(4, on(4, 60), { automated: false }),
    runAt(5, on(5), { status: "ARCHIVED" }),
    runAt(6, on(6)),
    runAt(7, on(6, 300)),
    runAt(8, on(7, 10)),
    runAt(9, on(7, 400), { status: "failure" }),
    runAt(10, on(9, 30)),
  ];
  // What is due when a pause ends is expected again.
  const pauses = [{ from: on(3), to: on(3) + 1 }, { from: on(7, 1), to: on(8) }];
  const now = on(11, 10);
  const { planned } = judgeAt(now, runs, { plans: [PLAN], pauses });
  const texts = planned.map(({ at, outcome, run }) =>
    `${new Date(at).toISOString().slice(8, 16)} ${outcome} ${run ?? ""}`.trim()
  );
  assertEquals(
    texts.join(", "),
    "05T06:00 met 1, 06T06:00 late 2, 07T06:00 failed 3, 08T06:00 excused, 09T06:00 by-hand 4, " +
      "10T06:00 other 5, 11T06:00 met 6, 11T11:00 extra 7, 12T06:00 met 8, " +
      "12T12:40 extra-failed 9, 13T06:00 missed, 14T06:00 late 10, 15T06:00 overdue, 16T06:00 due",
  );
  // What was not read may have run.
  const unread = judgeSchedule({ runs, newerUnread: true }, {
    now,
    statuses: defaultStatusDictionary(),
    plans: [PLAN],
  });
  const late = unread.reasons.find(({ code }) => code === "late");
  assert(late?.code === "late" && late.lateMs === 30 * MINUTE);
  const outcomes = unread.planned.slice(-5).map(({ outcome }) => outcome);
  assertEquals(outcomes, ["extra-failed", "missed", "late", "due", "due"]);
});

Deno.test("judgeSchedule: an unfinished run is running, a retry's success counts", () => {
  const runs = Array.from({ length: 12 }, (_, day) => runAt(day, FIRST + day * DAY));
  const open = { status: "running", endTime: null };
  const retried = [
    ...runs.slice(0, 3).flatMap((run, day) => [
      { ...run, id: 100 + day, status: "failure" },
      runAt(day, FIRST + day * DAY + 5 * MINUTE),
    ]),
    ...runs.slice(3, 11),
    { ...runs[11], ...open },
  ];
  const now = FIRST + 11 * DAY + MINUTE;
  const { planned } = judgeAt(now, retried, { plans: [PLAN] });
  assertEquals(planned.map(({ outcome }) => outcome), [...Array(11).fill("met"), "running"]);
  // Where it is usual to have no end, that says nothing.
  const endless = momentsFrom(FIRST, 40).map((at, id) => runAt(id, at, { status: null }));
  const last = judgeAt(FIRST + 39 * DAY + MINUTE, endless, { plans: [PLAN] }).planned.at(-1);
  assertEquals(last?.outcome, "other");
});

Deno.test("plannedRuns: the latest 60 or a day; without a plan, 20 runs", () => {
  const now = FIRST + 100 * DAY;
  const listed = (everyMinutes: number) => {
    const everyMs = everyMinutes * MINUTE;
    const slots = momentsFrom(now - 2999 * everyMs, 3000, everyMs)
      .map((at) => ({ at, outcome: "missed" as const, runs: [] }));
    return plannedRuns(slots, [], { now, newerUnread: false, open: [] }).length;
  };
  assertEquals([1440, 10, 1].map(listed), [60, 26 * 6 + 1, 1500]);
  const timed = Array.from(
    { length: 30 },
    (_, id) => ({ run: { id }, time: id, ms: 1, meaning: "good" }) as const,
  );
  assertEquals(plannedRuns([], timed, { now, newerUnread: false, open: [] }).length, 20);
});
