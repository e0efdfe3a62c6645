/** A worker that judges and replays histories, so that a long one keeps nobody else waiting. */
import type { ReportRun } from "../../../lib/types.ts";
import type { PlansQuestion } from "../../../lib/runs/judge/judge_schedule.ts";
import { plansOf } from "../../../lib/runs/plans/infer.ts";
import { backtest, type BacktestOptions } from "../backtest.ts";
import { createJudge, type JudgeQuestion } from "../looking/judge.ts";

/** What to do. */
export type Question =
  | { readonly kind: "judge"; readonly question: JudgeQuestion }
  | { readonly kind: "infer"; readonly question: PlansQuestion }
  | {
    readonly kind: "backtest";
    readonly runs: readonly ReportRun[];
    readonly options: BacktestOptions;
  };

/** What came of it. */
export type Answer = { readonly result: unknown } | { readonly message: string };

/** The worker's messages, typed as in a worker. */
const scope = self as unknown as {
  onmessage: (event: MessageEvent<readonly Question[]>) => void;
  postMessage(message: Answer): void;
};

scope.onmessage = ({ data }) => {
  for (const question of data) scope.postMessage(answer(question));
};

const judge = createJudge();

function answer(asked: Question): Answer {
  try {
    return { result: resultOf(asked) };
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
}

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
