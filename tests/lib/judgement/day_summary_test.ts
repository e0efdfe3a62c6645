import { assertEquals } from "@std/assert";
import { isChosen, summarizeDay } from "../../../lib/judgement/day_summary.ts";
import type { Headline } from "../../../lib/judgement/headline.ts";
import type { PlannedRun } from "../../../lib/judgement/planned_runs.ts";

const DAY = { from: 0, to: 9, now: 8 };

function summary(headline: Headline, outcomes: readonly PlannedRun["outcome"][], people = 5) {
  const planned = outcomes.map((outcome, at) => ({ at, outcome, run: at }));
  return summarizeDay(
    [{ scheduleId: 1, name: "", headline, planned, people, reached: null }],
    DAY,
  );
}

Deno.test("summarizeDay: a failed run that was rerun well went out, until the next planned one", () => {
  const counts = (...outcomes: PlannedRun["outcome"][]) => {
    const { marks, people } = summary("healthy", outcomes);
    const count = (choice: "planned" | "sent") =>
      marks.filter((mark) => isChosen(mark, choice, DAY.now)).length;
    return [count("sent"), count("planned"), people];
  };
  assertEquals(counts("failed", "extra"), [1, 1, 5]);
  assertEquals(counts("other", "extra-failed", "extra"), [1, 1, 5]);
  assertEquals(counts("failed", "failed", "extra"), [1, 2, 5]);
  assertEquals(counts("failed", "extra-failed", "missed", "extra"), [0, 2, 0]);
});

Deno.test("summarizeDay: who got an empty report is not waiting", () => {
  assertEquals(summary("empty", ["met"]).waiting, 0);
  assertEquals(summary("failing", ["failed"]).waiting, 5);
  const sent = (people: number) =>
    summary("empty", ["met", "met"], people).marks.map((mark) => mark.isSent);
  assertEquals([sent(5), sent(0)], [[true, true], [true, false]], "sent to nobody is not gone out");
});
