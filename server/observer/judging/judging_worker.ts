/** A worker that judges and replays histories, so that a long one blocks nobody else. */
import { type Answer, createAnswering, type Question } from "./answering.ts";

/** The worker's messages, typed as in a worker. */
const scope = self as unknown as {
  onmessage: (event: MessageEvent<readonly Question[]>) => void;
  postMessage(message: Answer): void;
};

const answer = createAnswering();

scope.onmessage = ({ data }) => {
  for (const question of data) scope.postMessage(answer(question));
};
