/** A database: SQLite or PostgreSQL, which answer the same statements alike. */
import { BOOLEAN_COLUMNS, JSON_COLUMNS } from "../schema/schema.ts";
import { compile, type Sql, type Statement, type System } from "./sql.ts";
import { ProblemError } from "../../http/problem.ts";

/** How long a statement may take, in milliseconds, but for imports and migrations. */
export const DEADLINE_MS = 15_000;

export interface ReadOptions {
  /** Lookups take milliseconds and never wait for searches. Default: `lookup`. */
  readonly lane?: "lookup" | "search";
  /** Ends the statement when nobody waits for it any more. */
  readonly signal?: AbortSignal;
}

interface Written<Row> {
  /** The rows of `RETURNING`. */
  readonly rows: readonly Row[];
  /** How many rows were added, changed or removed. */
  readonly changed: number;
}

interface Statements {
  read<Row>(statement: Sql): Promise<readonly Row[]>;
  write<Row = never>(statement: Sql): Promise<Written<Row>>;
}

/** What a transaction offers: reads see what it wrote. */
export interface Transaction extends Statements {
  /** `RECORDS_KEY`, or the key in the data folder: the newest first. */
  readonly recordsKeys: () => readonly string[];
}

/**
 * A database. In a transaction, use nothing but what it offers: SQLite has one at a time.
 *
 * Rows have their columns as properties: `schedule_id` is `scheduleId`. `JSON_COLUMNS` have what their
 * JSON says, and `BOOLEAN_COLUMNS` true or false.
 *
 * Every call throws a `DatabaseError` that says what to do if the database can't be used.
 */
export interface Database extends Statements {
  readonly system: System;
  read<Row>(statement: Sql, options?: ReadOptions): Promise<readonly Row[]>;
  /** Runs `work` in a transaction; if it throws, all is undone and the error is thrown. */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Runs a statement that takes long or needs to be outside of a transaction, such as `VACUUM`. */
  maintain(statement: Sql): Promise<void>;
  close(): Promise<void>;
}

/** The database as one of its transactions uses it: whatever it does is part of the transaction. */
export function within(transaction: Transaction, database: Database): Database {
  return { ...database, ...transaction, transaction: (work) => work(transaction) };
}

/** What a statement gave: its rows as arrays, with the names of their columns once. */
export interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly changed: number;
}

/** Runs a statement, or a script of several, which has no values and gives no rows. */
export type Run = (
  statement: Pick<Statement, "text"> & Partial<Statement>,
) => Promise<Answer>;

/** Every call throws a `DatabaseError` if the database can't be used. */
export interface Driver {
  readonly system: System;
  readonly recordsKeys: Transaction["recordsKeys"];
  read(statement: Statement, options?: ReadOptions): Promise<Answer>;
  readonly write: Run;
  transaction<Result>(work: (run: Run) => Promise<Result>): Promise<Result>;
  readonly maintain: Run;
  close(): Promise<void>;
}

/** How a database is opened, whatever it is. */
export interface OpenOptions {
  /** The most milliseconds that a call may wait, and a statement take. Default: 15,000. */
  readonly deadlineMs?: number;
  /** Whether to fill an empty database, or a missing file. Default: true. */
  readonly create?: boolean;
  /** See `Transaction`. Default: none, so that nobody can be forgotten. */
  readonly recordsKeys?: () => readonly string[];
  /** Default: those of this version. */
  readonly migrations?: readonly Sql[];
}

export function databaseOn(driver: Driver): Database {
  const compiled = (statement: Sql) => compile(statement, driver.system);
  return {
    system: driver.system,
    read: async (statement, options) => toRows(await driver.read(compiled(statement), options)),
    write: async (statement) => toWritten(await driver.write(compiled(statement))),
    transaction: (work) =>
      driver.transaction((run) =>
        work({
          read: async (statement) => toRows(await run(compiled(statement))),
          write: async (statement) => toWritten(await run(compiled(statement))),
          recordsKeys: driver.recordsKeys,
        })
      ),
    maintain: async (statement) => void await driver.maintain(compiled(statement)),
    close: () => driver.close(),
  };
}

function toRows<Row>({ columns, rows }: Answer): readonly Row[] {
  const read = columns.map((column) => ({
    name: column.replace(/_[a-z]/g, ([, letter]) => letter.toUpperCase()),
    isJson: JSON_COLUMNS.has(column),
    isBoolean: BOOLEAN_COLUMNS.has(column),
  }));
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (const [at, { name, isJson, isBoolean }] of read.entries()) {
      const value = values[at];
      // What is null is also null as JSON.
      if (isJson) row[name] = JSON.parse(value as string);
      else row[name] = value !== null && isBoolean ? value === 1 : value;
    }
    return row as Row;
  });
}

function toWritten<Row>(answer: Answer): Written<Row> {
  return { rows: toRows(answer), changed: answer.changed };
}

const KINDS = {
  unreachable: { detail: "The database cannot be reached", mayPass: true },
  noConnection: { detail: "The database has no connection free", mayPass: true },
  busy: { detail: "Too many searches are running at once", mayPass: true },
  timeout: {
    detail: "The database did not answer in time; add filters, sort by fewer fields, or " +
      "start at a smaller offset",
    mayPass: true,
  },
  locked: { detail: "The database is locked", mayPass: true },
  full: { detail: "The database is full", mayPass: false },
  disk: { detail: "The disk of the database is full or fails", mayPass: false },
  readOnly: { detail: "The database cannot be written to", mayPass: false },
  damaged: { detail: "The database is damaged", mayPass: false },
  missing: { detail: "The database is no longer there", mayPass: false },
  accessDenied: { detail: "The database denies Docket access", mayPass: false },
  unusable: { detail: "The database cannot be used", mayPass: false },
} as const;

export type DatabaseErrorKind = keyof typeof KINDS;

/** Seconds until a retry makes sense, for errors that may pass. */
const RETRY_SECONDS = 5;

/** A 503 whose message is for the operator; it never contains a URL or values of rows. */
export class DatabaseError extends ProblemError {
  /** `code` is the database's own name for the error. */
  constructor(readonly kind: DatabaseErrorKind, readonly code: string, advice: string) {
    const { detail, mayPass } = KINDS[kind];
    super(503, detail, mayPass ? { retryAfterSeconds: RETRY_SECONDS } : {});
    this.message = `${detail}${code && ` (${code})`}: ${advice}`;
  }

  /** Whether the program should not start: somebody has to act first. */
  get endsStart(): boolean {
    return ENDING_START.has(this.kind);
  }
}

const ENDING_START = new Set<DatabaseErrorKind>(["damaged", "missing", "accessDenied", "unusable"]);
