/** What can be asked of a judging worker, and its answers. */
import { type JudgeOptions, judgeSchedule } from "../../../lib/judgement/judge_schedule.ts";
import type { RunHistory } from "../../../lib/runs/load_runs.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { backtest, type BacktestOptions } from "../backtest.ts";
import { comparePlan, type PlanToCompare } from "../../schedules/compare_plan.ts";
import { type JudgeQuestion, judgeStored } from "../polling/judge.ts";

/** A question to a judging worker. */
export type JudgingQuestion =
  | { readonly kind: "stored"; readonly question: JudgeQuestion }
  | { readonly kind: "history"; readonly history: RunHistory; readonly options: JudgeOptions }
  | { readonly kind: "plan"; readonly question: PlanToCompare }
  | {
    readonly kind: "backtest";
    readonly runs: readonly ReportRun[];
    readonly options: BacktestOptions;
  };

/** Its answer: a result, or why there is none. */
export type JudgingAnswer = { readonly result: unknown } | { readonly message: string };

/** Answers a question. */
export function answerTo(asked: JudgingQuestion): JudgingAnswer {
  try {
    return { result: resultOf(asked) };
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
}

function resultOf(asked: JudgingQuestion): unknown {
  switch (asked.kind) {
    case "stored":
      return judgeStored(asked.question);
    case "history": {
      // Whoever asks has the runs.
      const { runs: _, ...verdict } = judgeSchedule(asked.history, asked.options);
      return verdict;
    }
    case "plan":
      return comparePlan(asked.question);
    case "backtest":
      return backtest(asked.runs, asked.options);
  }
}
