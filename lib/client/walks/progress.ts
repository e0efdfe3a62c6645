/**
 * The bookkeeping of a walk: where the next page begins, which rows are new, what contradicts, and
 * whether the end is reached. Nothing is requested here. The walk passes each page to `read`, and
 * calls `emit` for each of its rows before it reads the next page.
 */
import { check, isCount } from "../../check.ts";
import { type Drift, DriftError, StalledError } from "../../errors.ts";
import type {
  Checkpoint,
  PageRequest,
  PageSource,
  PageView,
  WalkOptions,
  WalkReport,
} from "./walk.ts";

export type RowId = string | number;

/** Remembers the ids of a page, and returns for each row whether it is new. */
export type Memory = (ids: readonly RowId[]) => readonly boolean[];

export type RequestedPage = Omit<PageRequest, "signal">;

export interface PageOutcome {
  /** Whether the page has rows after those that were read before. */
  readonly hasMore: boolean;
  readonly isEnd: boolean;
  /** How many rows are likely between the beginnings of the next page and of the one after it. */
  readonly stride: number;
  /** Pages that begin before this offset may be requested ahead. */
  readonly plannedEnd: number;
  /** How many pages may be requested ahead; without a total, the number doubles with each page. */
  readonly maxAhead: number;
}

type ListSource<Item> = Omit<PageSource<unknown, Item>, "getPage" | "read">;

export class Progress<Item> {
  readonly #source: ListSource<Item>;
  readonly #query: string;
  readonly #log: DriftLog;
  readonly #claims: Claims;
  /** How many rows of the page before each page repeats. */
  readonly #overlapping: number;
  #remember!: Memory;

  // Positions are numbers of rows from the beginning of the list.
  #start: number;
  /** Where the next page begins, apart from the rows that it repeats. */
  #position: number;
  #limit: number;
  /** The number of distinct rows that were read. */
  #count: number;
  /** The number of all rows, as far as the service's claims can be believed. */
  #total: number | undefined;

  /** The ids of the last page with more rows, whether each is new, and how many were emitted. */
  #ids: readonly RowId[];
  #isNew: readonly boolean[] = [];
  #emitted: number;
  #idsBefore: readonly RowId[] = [];

  /** Whether the last page has fewer rows than it could have, and whether that can mean the end. */
  #isShort = false;
  #shortMayBeEnd = true;
  #rowsSinceNew = 0;
  /** The position at which the service returned no rows although its total promises some. */
  #emptyAt: number | undefined;

  #pages = 0;
  #items: number;

  /** Throws a ConfigurationError if the checkpoint is damaged, or of another query. */
  constructor(source: ListSource<Item>, { onDrift, verify = false, resume }: WalkOptions) {
    this.#source = source;
    this.#query = hashQuery(source.query);
    if (resume !== undefined) checkCheckpoint(resume, this.#query);
    this.#log = new DriftLog(onDrift);
    this.#claims = createClaims(this.#log);
    this.#overlapping = verify ? 1 : 0;
    // A page must hold more than the row that it repeats.
    this.#limit = Math.max(source.limit, 1 + this.#overlapping);
    this.#start = resume?.start ?? source.offset;
    this.#position = resume?.position ?? this.#start;
    this.#count = this.#items = resume?.count ?? 0;
    this.#total = resume?.total;
    this.#ids = resume?.last ?? [];
    this.#emitted = this.#ids.length;
  }

  get next(): RequestedPage {
    const overlap = this.#ids.length > 0 ? this.#overlapping : 0;
    return { offset: this.#position - overlap, limit: this.#limit };
  }

  /** Sets how rows are remembered; called once, before the first page. */
  begin(rememberFrom: (last: readonly RowId[]) => Memory): void {
    this.#remember = rememberFrom(this.#ids);
  }

  /**
   * Reads a page. Throws a StalledError if the service leaves out rows, repeats itself or stops early,
   * and a DriftError if rows changed and `onDrift` is `"throw"`.
   */
  read({ offset, limit }: RequestedPage, view: PageView<Item>): PageOutcome {
    this.#pages++;
    const ids = view.items.map((item) => this.#source.getId(item));
    const isNew = this.#remember(ids);
    const newCount = isNew.filter(Boolean).length;

    // A page of new rows can't begin among rows that were read.
    const mayBeEarlier = this.#count === 0 || ids.length - newCount > this.#position - offset;
    const begins = this.#claims.offset(view, offset, mayBeEarlier);
    if (begins > offset) this.#stall(offset, `left out rows and skipped ${begins}`);
    const mostRows = this.#claims.limit(view, begins, limit);
    const totalBefore = this.#total;
    this.#total = this.#claims.total(view, begins, totalBefore);

    this.#limit = Math.min(this.#limit, mostRows);
    if (this.#count === 0) this.#start = Math.min(this.#start, begins);
    this.#count += newCount;

    // How many rows at the beginning of the page were read before, as planned.
    const overlap = Math.max(0, this.#position - begins);
    // The last of them must not have moved.
    if (overlap > 0 && this.#ids.length > 0 && ids[overlap - 1] !== this.#ids.at(-1)) {
      this.#log.add({ kind: "shifted", offset }, "another row than before");
    }
    const hasMore = newCount > 0 || ids.length > overlap;
    if (hasMore) {
      this.#checkRepetition(ids, newCount, offset, this.#total! > totalBefore!);
      const repeated = isNew.slice(overlap).filter((fresh) => !fresh).length;
      if (repeated > 0) {
        this.#log.add({ kind: "repeated", offset, count: repeated }, `${repeated} came again`);
      }
      this.#position = begins + ids.length;
      this.#idsBefore = this.#ids;
      this.#ids = ids;
      this.#isNew = isNew;
      this.#emitted = 0;
      // More rows followed a short page, so this service's pages may be short anywhere.
      if (this.#isShort) this.#shortMayBeEnd = false;
    }
    this.#isShort = ids.length < mostRows;
    return {
      hasMore,
      isEnd: hasMore ? this.#isLastPage() : this.#isEndAt(offset, begins),
      stride: Math.max(0, ids.length - this.#overlapping) || Infinity,
      // Without a total, a short page may well be the last one.
      plannedEnd: this.#total ?? (this.#isShort ? 0 : Infinity),
      maxAhead: this.#total === undefined ? 2 ** (this.#pages - 1) : Infinity,
    };
  }

  /** Marks the next row of the page as emitted, and returns whether it is new. */
  emit(): boolean {
    const fresh = this.#isNew[this.#emitted++];
    if (fresh) this.#items++;
    return fresh;
  }

  checkpoint(): Checkpoint {
    return {
      version: 1,
      query: this.#query,
      position: this.#position - this.#ids.length + this.#emitted,
      start: this.#start,
      count: this.#items,
      last: [...this.#idsBefore, ...this.#ids.slice(0, this.#emitted)].slice(-this.#limit),
      total: this.#total,
    };
  }

  report(stopReason: WalkReport["stopReason"]): WalkReport {
    const { drift, driftCount } = this.#log;
    return {
      pages: this.#pages,
      items: this.#items,
      total: this.#total,
      drift: [...drift],
      driftCount,
      unexpectedAnswers: [...this.#source.unexpected?.values() ?? []],
      stopReason,
      complete: stopReason === "end" && driftCount === 0,
    };
  }

  #stall(offset: number, what: string): never {
    const soFar = `asked to skip ${offset}, after ${this.#count} distinct rows`;
    throw new StalledError(offset, `The service ${what}, ${soFar}`);
  }

  #checkRepetition(ids: readonly RowId[], newCount: number, offset: number, totalGrew: boolean) {
    this.#rowsSinceNew = newCount > 0 ? 0 : this.#rowsSinceNew + ids.length;
    // A page also comes again if as many rows were inserted before it; but then the total grew.
    const isSame = this.#rowsSinceNew > 0 && !totalGrew && String(ids) === String(this.#ids);
    if (isSame || this.#rowsSinceNew > this.#count) this.#stall(offset, "repeats itself");
  }

  #isLastPage(): boolean {
    return this.#isShort && this.#shortMayBeEnd && this.#count >= this.#total! - this.#start;
  }

  #isEndAt(offset: number, begins: number): boolean {
    if (!this.#isShort || begins < offset) this.#stall(offset, "goes no further");
    if (this.#total === undefined) return true;
    if (this.#position < this.#total) {
      if (this.#emptyAt === this.#position) {
        this.#stall(offset, `stops early, although it says ${this.#total} rows match`);
      }
      // The service may have read the total and the rows at different moments: try once more.
      this.#emptyAt = this.#position;
      return false;
    }
    const expected = this.#total - this.#start;
    if (this.#count < expected) {
      this.#log.add(
        { kind: "short", offset, expected, seen: this.#count },
        `${expected} were promised and ${this.#count} came`,
      );
    }
    return true;
  }
}

/** A short hash that distinguishes queries. It is not cryptographic. */
function hashQuery(query: string): string {
  let hash = 0;
  // Not with Web Crypto, which is asynchronous.
  for (const letter of query) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
  return `${query.length}.${hash}`;
}

/** Throws a ConfigurationError if a checkpoint is damaged, or of another query. */
function checkCheckpoint(value: unknown, query: string): asserts value is Checkpoint {
  const { version, position, start, count, total = 0, last, query: itsQuery } = Object(value);
  const isWhole = version === 1 && Array.isArray(last) &&
    [position, start, count, total].every(isCount) &&
    last.every((id) => typeof id === "string" || Number.isSafeInteger(id));
  check(isWhole, "resume", "a whole checkpoint");
  check(itsQuery === query, "resume", "a checkpoint of the same query");
}

export type Claims = ReturnType<typeof createClaims>;

/** Believes every claim at first, and logs each one that is disproved. */
function createClaims(log: DriftLog) {
  const disproved = new Set<string>();

  /**
   * Reads one claim of a page that begins at `offset`. Returns undefined if there is none, or if rows
   * disprove it or have disproved it before; `seen` is what the rows show instead.
   */
  const read = (
    claim: "total" | "limit" | "offset",
    view: PageView<unknown>,
    offset: number,
    isDisproved: (claimed: number) => boolean,
    seen: number,
  ): number | undefined => {
    const claimed = view[claim];
    if (!isCount(claimed) || disproved.has(claim)) return undefined;
    if (!isDisproved(claimed)) return claimed;
    disproved.add(claim);
    const words = `the service says ${claim} ${claimed}, but its rows say ${seen}`;
    log.add({ kind: "contradiction", offset, claim, claimed, seen }, words);
  };

  return {
    /** Where a page begins; `mayBeEarlier` is whether its rows allow less than `offset`. */
    offset(view: PageView<unknown>, offset: number, mayBeEarlier: boolean): number {
      if (view.items.length === 0) return offset;
      const isDisproved = (claimed: number) => claimed < offset && !mayBeEarlier;
      return read("offset", view, offset, isDisproved, offset) ?? offset;
    },
    /** The most rows that a page may have, if `requested` rows were requested. */
    limit(view: PageView<unknown>, offset: number, requested: number): number {
      const { length } = view.items;
      const isDisproved = (claimed: number) => claimed > 0 && claimed < Math.min(length, requested);
      return Math.min(requested, read("limit", view, offset, isDisproved, length) || requested);
    },
    /** The number of all rows, if it is known. `before` is the previous one; a change is logged. */
    total(
      view: PageView<unknown>,
      offset: number,
      before: number | undefined,
    ): number | undefined {
      const { length } = view.items;
      const end = offset + length;
      const isTooFew = (claimed: number) => length > 0 && end > claimed;
      const total = read("total", view, offset, isTooFew, end) ?? before;
      if (total === undefined || isTooFew(total)) return undefined;
      if (before !== undefined && before !== total) {
        log.add(
          { kind: "total", offset, from: before, to: total },
          `the total was ${before} and is ${total}`,
        );
      }
      return total;
    },
  };
}

const MAX_DRIFT = 100;

class DriftLog {
  readonly drift: Drift[] = [];
  driftCount = 0;

  constructor(readonly onDrift: WalkOptions["onDrift"]) {}

  /** Adds an entry; throws a DriftError if `onDrift` is `"throw"`. */
  add(drift: Drift, words: string): void {
    this.driftCount++;
    if (this.drift.length < MAX_DRIFT) this.drift.push(drift);
    if (this.onDrift === "throw") {
      const what = drift.kind === "contradiction"
        ? "The service contradicted itself"
        : "Rows changed";
      throw new DriftError(drift, `${what} during the walk, at ${drift.offset}: ${words}`);
    }
    this.onDrift?.(drift);
  }
}
