/** The types of a walk over all pages: its options, its report, its checkpoints. */
import type { UnexpectedAnswer, UnexpectedAnswers } from "../decode.ts";
import type { Drift } from "../../errors.ts";

/** Where a walk stopped, to go on from there later. Plain JSON. */
export interface Checkpoint {
  /** Version of this form. */
  readonly version: 1;
  /** Hash of the query, with the address of the service; another query is refused. */
  readonly query: string;
  /** Number of rows to skip from the beginning of the list. */
  readonly position: number;
  /** Where the walk started. */
  readonly start: number;
  /** Number of different rows emitted. */
  readonly count: number;
  /** Ids of the last rows emitted, as many as a page has. */
  readonly last: readonly (string | number)[];
  /** The service's total, when it gave one. */
  readonly total?: number;
}

/** How a walk goes. */
export interface WalkOptions {
  /**
   * How many pages to request ahead, while the reader is busy. Rows still come in order. Without it, a
   * page is requested only when the reader needs its first row.
   */
  readonly prefetch?: number;
  /**
   * What happens when rows change during the walk: a function is called, `"throw"` ends the walk with
   * a `DriftError`. Either way it is in `report`.
   */
  readonly onDrift?: ((drift: Drift) => void) | "throw";
  /** Goes on where another walk of the same query stopped. */
  readonly resume?: Checkpoint;
  /**
   * Whether each page repeats the last row of the page before, so that a lost row is noticed too.
   */
  readonly verify?: boolean;
  /** Time for the whole walk, in milliseconds. Default: none. */
  readonly deadlineMs?: number;
  /** Aborts the walk. */
  readonly signal?: AbortSignal;
}

/** What a walk did. */
export interface WalkReport {
  /** Number of pages read. */
  readonly pages: number;
  /** Number of different rows emitted, including those before a resumed checkpoint. */
  readonly items: number;
  /** The service's latest total, when it gives one that its rows don't contradict. */
  readonly total?: number;
  /** What changed or did not add up, the first 100 entries. */
  readonly drift: readonly Drift[];
  /** Number of all such entries. */
  readonly driftCount: number;
  /** With the option `shape: "report"`, the fields that were left out, by path. */
  readonly unexpectedAnswers: readonly UnexpectedAnswer[];
  /**
   * Why the walk is over: every row was read, the reader left, or something failed. Missing while
   * it goes on.
   */
  readonly stopReason?: "end" | "left" | "failed";
  /**
   * Whether the walk reached the end without any drift. Without `verify` that is all it says:
   * a row can be lost unnoticed where others were deleted before it and the total stayed the same or
   * is not given, and a total that happens to be the number of rows on the pages so far is believed
   * when the last of them is short.
   */
  readonly complete: boolean;
}

/** A walk over all rows, or over all pages. It can be iterated once. */
export interface Walk<Page, Item> extends AsyncIterable<Item> {
  /**
   * The pages as the service sent them. Only the edges of pages are remembered: rows that moved from
   * one page to the next are reported, but rows are not de-duplicated.
   */
  pages(): AsyncIterableIterator<Page>;
  /** Where the walk is: behind the row or page that was emitted last. */
  checkpoint(): Checkpoint;
  /** What the walk did so far. */
  readonly report: WalkReport;
}

/** One page of any paged list. */
export interface PageView<Item> {
  /** The rows. */
  readonly items: readonly Item[];
  /** Number of rows before the page, when the service says so. */
  readonly offset?: number | null;
  /** The most rows that the service puts on the page, when it says so. */
  readonly limit?: number | null;
  /** Number of all rows, when the service says so. */
  readonly total?: number | null;
}

/** Which page to get. */
export interface PageRequest {
  /** Number of rows to skip. */
  readonly offset: number;
  /** The most rows to return. */
  readonly limit: number;
  /** Aborts when the page is no longer wanted. */
  readonly signal: AbortSignal;
}

/** A paged list that can be walked. */
export interface PageSource<Page, Item> {
  /** Gets one page. */
  getPage(request: PageRequest): PromiseLike<Page>;
  /** Reads a page. */
  read(page: Page): PageView<Item>;
  /** The fields that were left out of pages so far. */
  readonly unexpected?: UnexpectedAnswers;
  /** The id of a row. */
  idOf(item: Item): string | number;
  /** Text that identifies the query, for checkpoints. */
  readonly query: string;
  /** The most rows on a page. */
  readonly limit: number;
  /** Number of rows to skip before the first. */
  readonly offset: number;
}
