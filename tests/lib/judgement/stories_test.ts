import { assertEquals } from "@std/assert";
import {
  defaultStatusDictionary,
  describePlan,
  judgeSchedule,
  planSlots,
  type ReportRun,
} from "../../../lib/mod.ts";
import { DAY } from "../../../server/store/sample/file_sets.ts";
import { MISSED_DAYS, sampleRuns } from "../../../server/store/sample/sample_runs.ts";
import { STORIES, type StoryKind } from "../../../server/store/sample/stories.ts";

/** The sample's newest day is the day before. */
const NOW = new Date("2026-11-21T00:30:00Z");
const dictionary = defaultStatusDictionary();

function runsOf(scheduleId: number, count = 400): ReportRun[] {
  return sampleRuns(scheduleId, count, NOW) as ReportRun[];
}

const verdictOf = (runs: readonly ReportRun[], now = NOW) =>
  judgeSchedule({ runs, olderUnread: true }, { now: now.getTime(), statuses: dictionary });
const planOf = (scheduleId: number, count?: number) =>
  verdictOf(runsOf(scheduleId, count)).schedule!;

Deno.test("judgeSchedule: 103 missed the nine days that it did not run on, and no other", () => {
  const { missed, plan } = planOf(103);
  assertEquals(missed.map(({ at }) => Math.floor((NOW.getTime() - at) / DAY)), MISSED_DAYS);
  assertEquals(describePlan(plan), "daily at 04:15, UTC");
});

Deno.test("judgeSchedule: 109 runs hourly by day on five days, with what is missing found", () => {
  const { plan } = planOf(109);
  assertEquals(plan.cron.length, 1);
  assertEquals(plan.cron[0].split(" ").slice(0, 4).join(" "), "0 7-18 * *");
  assertEquals(new Set(planSlots(plan, NOW.getTime() - 7 * DAY, NOW.getTime()).map(dayOf)).size, 5);
  const runs = runsOf(109);
  const lost = runs.slice(130, 133);
  const rest = runs.filter((run) => !lost.includes(run));
  const missed = verdictOf(rest).schedule!.missed.map(({ at }) => at / 3_600_000);
  assertEquals(missed, lost.map((run) => Math.round(Date.parse(run.startTime!) / 3_600_000)));
});

function dayOf(time: number): number {
  return Math.floor(time / DAY);
}

/** What the first reason of each story is, where there is one. */
const FIRST_REASONS: Readonly<Record<StoryKind, string | undefined>> = {
  healthy: undefined,
  failing: "failing",
  missed: "missed",
  recipients: undefined,
  size: "size-jump",
  slow: "slower",
  never: "never-ran",
  weekly: undefined,
  hourly: undefined,
  "by-hand": undefined,
  flaky: "flaky",
  outsider: "outside-recipient",
};

for (const hour of [1, 10, 23]) {
  Deno.test(`judgeSchedule: each story is told right at ${hour}:00`, () => {
    const now = new Date(Date.UTC(2026, 10, 21, hour));
    const told = STORIES.map(({ scheduleId, kind }) => {
      const { reasons, state } = verdictOf(sampleRuns(scheduleId, 400, now), now);
      return [kind, reasons[0]?.code, state];
    });
    const stateOf = (kind: StoryKind) =>
      kind === "never" ? "new" : kind === "failing" ? "down" : "up";
    assertEquals(told, STORIES.map(({ kind }) => [kind, FIRST_REASONS[kind], stateOf(kind)]));
  });
}
