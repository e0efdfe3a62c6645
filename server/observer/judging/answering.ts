/** What can be asked about histories, and how it is answered, in a worker or in this thread. */
import type { ReportRun } from "../../../lib/types.ts";
import type { PlansQuestion } from "../../../lib/judgement/judge_schedule.ts";
import { plansOf } from "../../../lib/judgement/plans/infer.ts";
import { backtest, type BacktestOptions } from "../backtest.ts";
import { createJudge, type JudgeQuestion } from "../polling/judge.ts";

export type Question =
  | { readonly kind: "judge"; readonly question: JudgeQuestion }
  | { readonly kind: "infer"; readonly question: PlansQuestion }
  | {
    readonly kind: "backtest";
    readonly runs: readonly ReportRun[];
    readonly options: BacktestOptions;
  };

export type Answer = { readonly result: unknown } | { readonly message: string };

/** Answers questions. It remembers what it judged, so judging the same history again is faster. */
export function createAnswering(): (asked: Question) => Answer {
  const judge = createJudge();

  function resultOf(asked: Question): unknown {
    switch (asked.kind) {
      case "judge":
        return judge(asked.question);
      case "infer":
        return plansOf(asked.question.times, asked.question.zone);
      case "backtest":
        return backtest(asked.runs, asked.options);
    }
  }

  return (asked) => {
    try {
      return { result: resultOf(asked) };
    } catch (error) {
      return { message: error instanceof Error ? error.message : String(error) };
    }
  };
}
