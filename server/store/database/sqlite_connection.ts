/** One connection to SQLite, which answers one question after the other in the thread that has it. */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Answer } from "./database.ts";
import type { Statement } from "./sql.ts";

export interface ConnectionSetup {
  readonly path: string;
  readonly readOnly: boolean;
  /** How long a write waits for another process, in milliseconds. */
  readonly timeout: number;
  /** What is run first. */
  readonly script: string;
  /** Whether its thread gets a lower priority than others. */
  readonly isSlow: boolean;
  /** Contains the number of the question to stop. */
  readonly stopped: Int32Array;
}

/** A statement, or a script, which has no values. */
export interface Question extends Pick<Statement, "text"> {
  readonly number: number;
  readonly values?: Statement["values"];
}

export type ConnectionMessage = ConnectionSetup | Question | "close";
export type ConnectionAnswer = Answer | { readonly message: string; readonly code?: string };

/** Limits the statements that stay prepared: their text depends on how many filters there are. */
const MAX_PREPARED = 200;

/** What is no value of SQLite's. */
const STOP = {} as unknown as null;

const NO_ROWS: Answer = { columns: [], rows: [], changed: 0 };

/** A connection as a function of messages, of which the setup is the first. */
export function createConnection(): (
  message: ConnectionMessage,
) => ConnectionAnswer | "closed" | undefined {
  // No package: to find one would take a new thread longer than all else.
  const prepared = new Map<string, StatementSync>();
  let setup: ConnectionSetup;
  let db: DatabaseSync | undefined;
  let current = 0;

  function open(): DatabaseSync {
    const opened = new DatabaseSync(setup.path, setup);
    try {
      opened.exec(setup.script);
    } catch (error) {
      opened.close();
      throw error;
    }
    // Searches call it at every 256th row, so that they end when nobody waits for them any more.
    // It can't return an object, so SQLite ends with an error. If it threw one, all() would never end.
    opened.function("alive", () => Atomics.load(setup.stopped, 0) === current ? STOP : 1);
    return opened;
  }

  function prepare(text: string): StatementSync {
    const statement = prepared.get(text) ?? db!.prepare(text);
    prepared.set(text, statement);
    if (prepared.size > MAX_PREPARED) prepared.delete(prepared.keys().next().value!);
    // Quicker than objects; some hosts' older runtimes can't.
    (statement as { setReturnArrays?(enabled: boolean): void }).setReturnArrays?.(true);
    return statement;
  }

  function run({ text, values }: Question): Answer {
    if (!values) {
      db!.exec(text);
      return NO_ROWS;
    }
    const statement = prepare(text);
    const columns = statement.columns().map(({ name }) => name);
    if (columns.length === 0) {
      return { ...NO_ROWS, changed: Number(statement.run(...values).changes) };
    }
    // Not iterate(), which ends at an error as if there were no more rows.
    const rows = statement.all(...values).map(toArray);
    return { columns, rows, changed: rows.length };
  }

  function answer(question: Question): ConnectionAnswer {
    current = question.number;
    try {
      db ??= open();
      return run(question);
    } catch (error) {
      prepared.delete(question.text);
      const { message, code } = error as Error & { code?: string };
      return { message, code };
    }
  }

  return (message) => {
    if (message === "close") {
      db?.close();
      return "closed";
    }
    if ("number" in message) return answer(message);
    setup = message;
  };
}

function toArray(row: unknown): readonly unknown[] {
  return Array.isArray(row) ? row : Object.values(row as object);
}
