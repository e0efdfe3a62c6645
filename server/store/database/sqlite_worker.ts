/** A thread with a connection to SQLite. */
import { answerMessages } from "../../workers/start_worker.ts";
import { createConnection } from "./sqlite_connection.ts";

answerMessages(createConnection());
