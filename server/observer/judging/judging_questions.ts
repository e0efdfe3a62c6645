/** What can be asked of a judging worker, and its answers. */
import {
  type JudgeOptions,
  judgeSchedule,
  type Verdict,
} from "../../../lib/judgement/judge_schedule.ts";
import type { RunHistory } from "../../../lib/runs/load_runs.ts";
import { backtest } from "../backtest.ts";
import { comparePlan } from "../../schedules/plan_fit.ts";
import { type JudgeQuestion, judgeStored } from "../polling/judge.ts";

const WORK = {
  judge: (question: JudgeQuestion) => judgeStored(question),
  judgeHistory(history: RunHistory, options: JudgeOptions): Omit<Verdict, "runs"> {
    const { runs: _, ...verdict } = judgeSchedule(history, options);
    return verdict;
  },
  comparePlan,
  backtest,
};

export type JudgingWork = typeof WORK;

export interface JudgingQuestion {
  readonly name: keyof JudgingWork;
  readonly args: readonly unknown[];
}

export type JudgingAnswer = { readonly result: unknown } | { readonly message: string };

export function answerTo({ name, args }: JudgingQuestion): JudgingAnswer {
  try {
    return { result: (WORK[name] as (...args: readonly unknown[]) => unknown)(...args) };
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
}
