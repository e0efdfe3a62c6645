import { assertEquals } from "@std/assert";
import { isChosen, summarizeDay } from "../../../lib/judgement/day_summary.ts";
import type { PlannedRun } from "../../../lib/judgement/planned_runs.ts";

Deno.test("summarizeDay: a failed run that was rerun well went out, until the next planned one", () => {
  const summary = (...outcomes: PlannedRun["outcome"][]) => {
    const planned = outcomes.map((outcome, at) => ({ at, outcome, run: at }));
    const schedule = { scheduleId: 1, name: "", headline: "healthy", reached: null } as const;
    const day = { from: 0, to: 9, now: 8 };
    const { marks, people } = summarizeDay([{ ...schedule, planned, people: 5 }], day);
    const count = (choice: "planned" | "sent") =>
      marks.filter((mark) => isChosen(mark, choice, 8)).length;
    return [count("sent"), count("planned"), people];
  };
  assertEquals(summary("failed", "extra"), [1, 1, 5]);
  assertEquals(summary("other", "extra-failed", "extra"), [1, 1, 5]);
  assertEquals(summary("failed", "failed", "extra"), [1, 2, 5]);
  assertEquals(summary("failed", "extra-failed", "missed", "extra"), [0, 2, 0]);
});
