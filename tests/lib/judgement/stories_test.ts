import { assertEquals } from "@std/assert";
import { defaultStatusDictionary, judgeSchedule } from "../../../lib/mod.ts";
import { sampleRuns } from "../../../server/store/sample/sample_runs.ts";
import { STORIES, type StoryKind } from "../../../server/store/sample/stories.ts";

/** What the first reason of each story is, where there is one. */
const FIRST_REASONS: Readonly<Record<StoryKind, string | undefined>> = {
  healthy: undefined,
  failing: "failing",
  missed: "missed",
  recipients: "outside-recipient",
  size: undefined,
  slow: undefined,
  never: "never-ran",
  weekly: undefined,
  hourly: undefined,
  "by-hand": undefined,
  flaky: "flaky",
  outsider: "outside-recipient",
};

for (const hour of [1, 10, 23]) {
  Deno.test(`judgeSchedule: each story is judged right at ${hour}:00`, () => {
    const now = new Date(Date.UTC(2026, 10, 21, hour));
    const told = STORIES.map(({ scheduleId, kind }) => {
      const runs = sampleRuns(scheduleId, 400, now);
      const { reasons, state } = judgeSchedule({ runs }, {
        now: now.getTime(),
        statuses: defaultStatusDictionary(),
      });
      return [kind, reasons[0]?.code, state];
    });
    const stateOf = (kind: StoryKind) =>
      kind === "never" ? "new" : kind === "failing" ? "down" : "up";
    assertEquals(told, STORIES.map(({ kind }) => [kind, FIRST_REASONS[kind], stateOf(kind)]));
  });
}
