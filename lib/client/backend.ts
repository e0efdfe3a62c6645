/** The two operations; the client implements them over HTTP, the store on SQL. */
import type { FileSetPage, ReportRun, SearchInput } from "../types.ts";

/** The interface's page size for both operations. */
export const DEFAULT_LIMIT = 100;

/** Which page of a search to return. */
export interface SearchOptions {
  /** The most rows on the page. Default: {@linkcode DEFAULT_LIMIT}. */
  readonly limit?: number;
  /** Number of matches to skip. Default: 0. */
  readonly offset?: number;
  /** Aborts the call. */
  readonly signal?: AbortSignal;
}

/** Which part of a history to return. */
export interface HistoryOptions extends Pick<SearchOptions, "limit" | "signal"> {
  /** Number of runs to skip. Default: 0. */
  readonly skip?: number;
}

/** The two operations of the interface. */
export interface Backend {
  /** File sets. */
  readonly fileSets: {
    /** One page of the file sets that match. */
    search(body?: SearchInput, options?: SearchOptions): PromiseLike<FileSetPage>;
  };
  /** Report schedules. */
  readonly reportSchedules: {
    /** A part of the history of one report schedule. */
    history(scheduleId: number, options?: HistoryOptions): PromiseLike<readonly ReportRun[]>;
  };
}
