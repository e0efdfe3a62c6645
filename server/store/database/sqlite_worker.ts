/** A thread with a connection to SQLite. */
import { answerMessages, lowerPriority } from "../../workers/start_worker.ts";
import { type ConnectionMessage, createConnection } from "./sqlite_connection.ts";

const answer = createConnection();

answerMessages<ConnectionMessage>((message) => {
  // Not in the connection, which may also be in the program's own thread.
  if (typeof message === "object" && "isSlow" in message && message.isSlow) lowerPriority();
  return answer(message);
});
