/**
 * A worker that makes indexes over a connection of its own: at a million rows each takes a second or
 * two, in which nobody has to wait for anything but a write.
 */
import { DatabaseSync } from "node:sqlite";

export interface IndexWork {
  readonly path: string;
  readonly statements: readonly string[];
}

/** How long a statement waits for another process, in milliseconds. */
const BUSY_MS = 1000;

/** The worker's messages, typed as in a worker. */
const scope = self as unknown as {
  onmessage: (event: MessageEvent<IndexWork>) => void;
  postMessage(message: "done"): void;
};

scope.onmessage = ({ data: { path, statements } }) => {
  const db = new DatabaseSync(path, { timeout: BUSY_MS });
  try {
    for (const statement of statements) db.exec(statement);
  } catch {
    // Another process is writing: there will be another attempt.
  } finally {
    db.close();
  }
  scope.postMessage("done");
};
