import {
  answerTo,
  type JudgedRuns,
  type JudgeQuestion,
} from "../../../../server/observer/judging/judging_questions.ts";

/** What a worker answers, asked in this thread. */
export function judged(question: JudgeQuestion): JudgedRuns {
  return (answerTo({ name: "judge", args: [question] }) as { result: JudgedRuns }).result;
}
