/**
 * What the store asks of a database. SQLite and PostgreSQL each implement it in their own folder.
 */
import type { SearchPlan } from "./search/plan.ts";
import type { Limit } from "./limit.ts";
import type { Row, StoredFileSet, StoredRun } from "./stored_rows.ts";
import type { Sql, Tally } from "./sql.ts";

/** Rows to be put in one transaction; a row with the same key is replaced. */
export interface Changes {
  /** File sets; the key is the id. */
  readonly fileSets?: readonly StoredFileSet[];
  /** Schedules that exist, also without any run. */
  readonly schedules?: readonly number[];
  /** Runs; the key is schedule and id. Their schedules come into being with them. */
  readonly runs?: readonly ScheduledRun[];
  /** Texts to keep by name, such as how far an import is; null removes one. */
  readonly notes?: Readonly<Record<string, string | null>>;
}

export interface ScheduledRun {
  readonly scheduleId: number;
  readonly run: StoredRun;
}

export interface Written {
  /** Rows that were not there before. */
  readonly added: number;
  /** Rows that were there with other values. */
  readonly changed: number;
}

/** Many rows, in pieces that fit into memory and one transaction. */
export type Batches = Iterable<Changes> | AsyncIterable<Changes>;

export interface Step extends Sql {
  /** Whether the whole transaction is undone if this statement returns no row. */
  readonly required?: boolean;
}

export interface QueryOptions {
  /** Aborted when nobody waits any more. */
  readonly signal?: AbortSignal;
  /** The moment, by `performance.now()`, after which the answer is an error. */
  readonly deadline: number;
}

export interface Total {
  readonly rows: number;
  /** Whether it is an estimate from a part of the rows, as counting all is too much work. */
  readonly isEstimate: boolean;
}

export interface CountOptions extends QueryOptions {
  /** The version of the data, as it was when somebody asked. */
  readonly version: string;
}

export interface PageOptions extends CountOptions {
  /** How many file sets match, at least roughly. */
  readonly matching: number;
}

/** The JSON of several rows, separated by commas. */
export interface JsonList {
  readonly json: string;
  readonly count: number;
}

export interface Engine {
  count(plan: SearchPlan, options: CountOptions): Promise<Total>;
  /** The file sets of one page, in order. */
  page(plan: SearchPlan, options: PageOptions): Promise<JsonList>;
  /** What a tally counts; `all` is how many file sets there are. */
  tally(asked: Tally, all: number, options: QueryOptions): Promise<readonly Row[]>;
  /** The rows of one statement that both engines read alike. */
  rows(text: string, values?: Sql["values"]): Promise<readonly Row[]>;
  /**
   * Runs statements in one transaction and gives the rows of each; null if a required one returned
   * none, and then nothing is done. `FOR UPDATE SKIP LOCKED` is for databases with several writers.
   */
  transact(steps: readonly Step[]): Promise<readonly (readonly Row[])[] | null>;
  /** Writes something small, unless the database can't take it now: then nothing is done. */
  writeIfFree(sql: Sql): Promise<void>;
  /**
   * Changes whenever file sets change, also through another process. No version is ever repeated,
   * even if the database was replaced and opened again.
   */
  dataVersion(): Promise<string>;
  /** The same for the runs of a schedule. */
  runsVersion(scheduleId: number): Promise<string>;
  /** Puts rows, all or none; no two have the same key. */
  put(changes: Changes): Promise<Written>;
  /** Puts batch after batch, each in one transaction, and yields what became of each. */
  load(batches: Batches): AsyncIterable<Written>;
  clear(): Promise<void>;
  /** Whether the database was replaced since it was opened, so that it must be opened again. */
  isStale(): boolean;
  /** A limit of so many uses a minute for each key, which holds for all who share it. */
  limit(perMinute: number): Limit;
  close(): Promise<void>;
}
