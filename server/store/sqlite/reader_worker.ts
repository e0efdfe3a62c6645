/**
 * A worker that reads a SQLite database over a connection of its own, so that a long search keeps
 * nobody else waiting. A statement that calls `alive()` ends as soon as its reader is told to stop.
 */
import { DatabaseSync } from "node:sqlite";
import type { Sql } from "../sql.ts";
import { statementsOf } from "./statements.ts";

export interface ReaderSetup {
  readonly path: string;
  /** One number: the query that nobody waits for any more. */
  readonly stopped: Int32Array;
}

export interface ReaderQuery extends Sql {
  readonly number: number;
  /** Its rows, or the numbers of the JSON array that is its only value. */
  readonly answer: "rows" | "numbers";
}

export type ReaderAnswer =
  | { readonly result: readonly (readonly unknown[])[] | Float64Array }
  | { readonly message: string; readonly code?: string };

/** The reader's messages, typed as in a worker. */
const scope = self as unknown as {
  onmessage: (event: MessageEvent<ReaderSetup | ReaderQuery | "close">) => void;
  postMessage(message: ReaderAnswer | "closed", transfer?: ArrayBuffer[]): void;
};

let setup: ReaderSetup;
let current = 0;
let open:
  | { readonly db: DatabaseSync; readonly rowsOf: (query: ReaderQuery) => unknown[][] }
  | null = null;

scope.onmessage = ({ data }) => {
  if (data === "close") {
    open?.db.close();
    scope.postMessage("closed");
  } else if ("path" in data) {
    setup = data;
  } else {
    const answered = answer(data);
    const isNumbers = "result" in answered && answered.result instanceof Float64Array;
    scope.postMessage(answered, isNumbers ? [answered.result.buffer as ArrayBuffer] : []);
  }
};

function answer(query: ReaderQuery): ReaderAnswer {
  current = query.number;
  try {
    const rows = (open ??= openDatabase()).rowsOf(query);
    if (query.answer === "rows") return { result: rows };
    return { result: Float64Array.from(JSON.parse(rows[0][0] as string)) };
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    return { message, code };
  }
}

function openDatabase(): NonNullable<typeof open> {
  const db = new DatabaseSync(setup.path, { readOnly: true });
  db.exec("PRAGMA cache_size = -32768");
  db.function("alive", () => {
    if (Atomics.load(setup.stopped, 0) === current) throw new Error("Nobody waits for the answer");
    return 1;
  });
  const statements = statementsOf(db);
  return { db, rowsOf: ({ text, values }) => statements.readStoppable({ text, values }) };
}
