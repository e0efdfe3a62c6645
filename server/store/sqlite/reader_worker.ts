/** Reads SQLite in a worker. Statements call `alive()`, which throws when nobody waits any more. */
import { DatabaseSync } from "node:sqlite";
import { lowerPriority } from "../../workers/lower_priority.ts";
import type { Sql } from "../sql.ts";
import { type Statements, statementsOf } from "./statements.ts";

export interface ReaderSetup {
  readonly path: string;
  /** Contains the number of the query to stop. */
  readonly stopped: Int32Array;
}

export interface ReaderQuery extends Sql {
  readonly number: number;
}

export type ReaderAnswer =
  | { readonly rows: readonly (readonly unknown[])[] }
  | { readonly message: string; readonly code?: string };

const scope = self as unknown as {
  onmessage: (event: MessageEvent<ReaderSetup | ReaderQuery | "close">) => void;
  postMessage(message: ReaderAnswer | "closed"): void;
};

let setup: ReaderSetup;
let current = 0;
let db: DatabaseSync | undefined;
let statements: Statements;

lowerPriority();
scope.onmessage = ({ data }) => {
  if (data === "close") {
    db?.close();
    scope.postMessage("closed");
  } else if ("path" in data) {
    setup = data;
  } else {
    scope.postMessage(answer(data));
  }
};

function answer(query: ReaderQuery): ReaderAnswer {
  current = query.number;
  try {
    if (!db) open();
    return { rows: statements.readStoppable(query) };
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    return { message, code };
  }
}

function open(): void {
  db = new DatabaseSync(setup.path, { readOnly: true });
  db.exec("PRAGMA cache_size = -32768");
  db.function("alive", () => {
    if (Atomics.load(setup.stopped, 0) === current) throw new Error("Nobody waits for the answer");
    return 1;
  });
  statements = statementsOf(db);
}
