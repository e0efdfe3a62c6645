/** The types of a walk over all pages: its options, its report, its checkpoints. */
import type { Drift } from "../../errors.ts";

/** Where a walk stopped, so that another can continue from there. Plain JSON. */
export interface Checkpoint {
  /** Version of this format. */
  readonly version: 1;
  /** Hash of the query, with the address of the service; another query is refused. */
  readonly query: string;
  /** Number of rows to skip from the beginning of the list. */
  readonly position: number;
  /** Where the walk started. */
  readonly start: number;
  /** Number of distinct rows emitted. */
  readonly count: number;
  /** Ids of the last rows emitted, as many as a page has. */
  readonly last: readonly (string | number)[];
  /** The service's total, if it gave one. */
  readonly total?: number;
}

/** How to walk over pages. */
export interface WalkOptions {
  /**
   * How many pages to request ahead, while the reader is busy; rows are emitted in order. By default,
   * a page is requested only when the reader needs its first row.
   */
  readonly prefetch?: number;
  /**
   * What happens if rows change during the walk: a function is called, and `"throw"` ends the walk
   * with a `DriftError`. In either case, the change is in `report`.
   */
  readonly onDrift?: ((drift: Drift) => void) | "throw";
  /** Continues where another walk of the same query stopped. */
  readonly resume?: Checkpoint;
  /** Whether each page repeats the last row of the page before, so that lost rows are noticed. */
  readonly verify?: boolean;
  /** Limit for the whole walk, in milliseconds. Default: none. */
  readonly deadlineMs?: number;
  /** Aborts the walk. */
  readonly signal?: AbortSignal;
}

/** What a walk has done so far. */
export interface WalkReport {
  /** Number of pages read. */
  readonly pages: number;
  /** Number of distinct rows emitted, including those before a resumed checkpoint. */
  readonly items: number;
  /** The service's latest total, if it gives one that its rows don't contradict. */
  readonly total?: number;
  /** The first 100 changes and contradictions. */
  readonly drift: readonly Drift[];
  /** Number of all changes and contradictions. */
  readonly driftCount: number;
  /**
   * With the option `shape: "report"`, the fields that were left out, by path: each has another type,
   * or is an integer beyond 2^53.
   */
  readonly unexpectedAnswers: readonly {
    /** Where, for example `fileSets[].fileCount`. */
    readonly path: string;
    /** What was expected, for example `an integer`. */
    readonly expected: string;
    /** The number of rows with such a field. */
    readonly count: number;
  }[];
  /**
   * Why the walk is over: every row was read, the reader left the loop, or something failed. Missing
   * until then.
   */
  readonly stopReason?: "end" | "left" | "failed";
  /**
   * Whether the walk reached the end without any drift. Without `verify`, rows can still be lost
   * unnoticed: if others before them were deleted, and the total stayed the same or is not given; or
   * if a page is short, and a wrong total equals the number of rows up to it.
   */
  readonly complete: boolean;
}

/** Unexpected answers by path. */
export type UnexpectedAnswers = Map<string, WalkReport["unexpectedAnswers"][number]>;

/** A walk over all rows, or over all pages. It can be iterated once. */
export interface Walk<Page, Item> extends AsyncIterable<Item> {
  /**
   * The pages as the service sent them. Rows that moved from one page to the next are reported, but
   * rows that come again are not removed.
   */
  pages(): AsyncIterableIterator<Page>;
  /** The position after the row or page that was emitted last. */
  checkpoint(): Checkpoint;
  /** What the walk has done so far. */
  readonly report: WalkReport;
}

/** One page of any paged list. */
export interface PageView<Item> {
  readonly items: readonly Item[];
  /** Number of rows before the page, if the service says so. */
  readonly offset?: number | null;
  /** The most rows that the service puts on the page, if it says so. */
  readonly limit?: number | null;
  /** Number of all rows, if the service says so. */
  readonly total?: number | null;
}

/** Which page to get. */
export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
  /** Aborts when the page is no longer needed. */
  readonly signal: AbortSignal;
}

/** A paged list that can be walked. */
export interface PageSource<Page, Item> {
  getPage(request: PageRequest): PromiseLike<Page>;
  read(page: Page): PageView<Item>;
  /** The fields that were left out of pages so far. */
  readonly unexpected?: UnexpectedAnswers;
  getId(item: Item): string | number;
  /** Identifies the query, for checkpoints. */
  readonly query: string;
  readonly limit: number;
  readonly offset: number;
}
