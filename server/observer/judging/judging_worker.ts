/** A worker that judges and replays histories, so that a long one does not block the server. */
import { lowerPriority } from "../../workers/lower_priority.ts";
import { answerTo, type JudgingAnswer, type JudgingQuestion } from "./judging_questions.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<JudgingQuestion>) => void;
  postMessage(message: JudgingAnswer): void;
};

lowerPriority();
scope.onmessage = ({ data }) => scope.postMessage(answerTo(data));
