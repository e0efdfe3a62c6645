/** A worker that judges and replays histories, so that a long one does not block the server. */
import { answerMessages, lowerPriority } from "../../workers/start_worker.ts";
import { answerTo } from "./judging_questions.ts";

lowerPriority();
answerMessages(answerTo);
