/**
 * The bookkeeping of a walk: where the next page begins, which rows are new, what does not add up,
 * and whether the end is reached. Nothing is requested here.
 *
 * @module
 */

import { checkCheckpoint, hashQuery } from "./checkpoint.ts";
import { DriftError, StalledError } from "./errors.ts";
import { type Memory, rememberAll, rememberEdges } from "./memory.ts";
import type { Checkpoint, Drift, PageView, WalkOptions, WalkReport } from "./walk.ts";

/** How many signs of change a report keeps. */
const MOST_DRIFT = 100;

type Id = string | number;

/** A page that was asked for. */
export interface Asked {
  /** Number of rows to skip. */
  readonly offset: number;
  /** The most rows to return. */
  readonly limit: number;
}

/** What a page brought. */
export interface Step {
  /** For each row whether it is new; undefined when all are. */
  readonly isNew: readonly boolean[] | undefined;
  /** Number of new rows. */
  readonly newCount: number;
  /** What to do next: end, go on, or ask for the same page again. */
  readonly next: "end" | "on" | "again";
  /** Whether the page has rows behind those that were read. */
  readonly hasMore: boolean;
  /** Where the page after the next one is likely to begin, relative to the next one. */
  readonly stride: number;
  /** Whether the page after the next one is worth asking for already. */
  readonly foreseeable: boolean;
}

/** Where a walk is and what it has seen. */
export class Progress<Item> {
  readonly #idOf: (item: Item) => Id;
  readonly #query: string;
  readonly #onDrift: WalkOptions["onDrift"];
  readonly #verify: boolean;

  /** The most rows to ask for; becomes smaller when the service uses a smaller limit. */
  #limit: number;
  #start: number;
  /** Where the next page begins. */
  #position: number;
  #total: number | undefined;
  #memory: Memory;
  /** Ids of the page that was read last, and of the one before. */
  #ids: readonly Id[];
  #idsBefore: readonly Id[] = [];
  /** Rows since the last new one. */
  #fruitless = 0;
  /** Where the service gave no rows although its total promises some. */
  #emptyAt: number | undefined;

  /** Where the page begins that is being handed over, and what was handed over. */
  #began: number;
  #handedOver: number;
  #handedOverTo: number;
  #items: number;

  #pages = 0;
  #duplicates = 0;
  readonly #drift: Drift[] = [];
  #driftCount = 0;

  /**
   * @param source What is walked over.
   * @param options How.
   * @throws {ConfigurationError} When the checkpoint can't be used.
   */
  constructor(
    source: {
      readonly query: string;
      readonly limit: number;
      readonly offset: number;
      idOf(item: Item): Id;
    },
    { onDrift, verify = false, resume }: WalkOptions,
  ) {
    this.#idOf = source.idOf;
    this.#query = hashQuery(source.query);
    this.#onDrift = onDrift;
    this.#verify = verify;
    const from = resume === undefined ? undefined : checkCheckpoint(resume, this.#query);
    // A page must hold more than the row that it repeats.
    this.#limit = verify ? Math.max(2, source.limit) : source.limit;
    this.#start = from?.start ?? source.offset;
    this.#position = from?.position ?? this.#start;
    this.#total = from?.total;
    this.#ids = from?.last ?? [];
    this.#items = from?.count ?? 0;
    this.#memory = rememberAll(this.#ids, this.#items);
    this.#began = this.#position;
    this.#handedOver = this.#ids.length;
    this.#handedOverTo = this.#position;
  }

  /** From the beginning on, remembers no more than it takes to hand over whole pages. */
  handOverPages(): void {
    this.#memory = rememberEdges(this.#ids, this.#items);
  }

  /** The next page to ask for. */
  get next(): Asked {
    const overlap = this.#verify && this.#ids.length > 0 && this.#position > 0 ? 1 : 0;
    return { offset: this.#position - overlap, limit: this.#limit };
  }

  /** Whether there should be rows at an offset, as far as the total tells. */
  isWithin(offset: number): boolean {
    return this.#total === undefined || offset < this.#total;
  }

  /**
   * Takes in a page.
   *
   * @param asked What was asked for.
   * @param view What came.
   * @returns What it brought.
   * @throws {StalledError} When the service contradicts or repeats itself.
   * @throws {DriftError} When rows changed and the caller chose that as an error.
   */
  read(asked: Asked, view: PageView<Item>): Step {
    this.#pages++;
    const totalGrew = this.#readTotal(asked, view);
    const usedLimit = Math.min(asked.limit, countOf(view.limit) || asked.limit);
    this.#limit = Math.min(this.#limit, usedLimit);
    const { items } = view;
    const ids: Id[] = Array(items.length);
    for (let index = 0; index < ids.length; index++) ids[index] = this.#idOf(items[index]);
    const isShort = ids.length < usedLimit;
    const isFirst = this.#memory.count === 0;
    const { isNew, newCount } = this.#memory.sift(ids);
    const began = this.#beginning(asked, view, newCount, isFirst);
    if (isFirst) this.#start = Math.min(this.#start, began);
    // So many rows at the beginning of the page were read before, which is no surprise.
    const overlap = Math.max(0, this.#position - began);
    if (overlap > 0 && !isFirst) this.#checkAnchor(asked, ids[overlap - 1]);

    if (newCount === 0 && ids.length <= overlap) {
      const next = this.#nothingBehind(asked, ids.length, isShort);
      if (next === "end") this.#checkShort(asked);
      return { isNew, newCount, next, hasMore: false, stride: 1, foreseeable: false };
    }
    this.#checkProgress(asked, ids, newCount, totalGrew);
    this.#checkRepeated(asked, isNew, overlap);
    this.#position = began + ids.length;
    this.#idsBefore = this.#ids;
    this.#ids = ids;
    this.#began = began;
    this.#handedOver = 0;
    const isEnd = isShort && this.#total !== undefined && this.#memory.count >= this.#expected;
    return {
      isNew,
      newCount,
      next: isEnd ? "end" : "on",
      hasMore: true,
      stride: Math.max(1, ids.length - (this.#verify ? 1 : 0)),
      // Without a total, a short page may well be the last one.
      foreseeable: this.#total !== undefined || !isShort,
    };
  }

  /**
   * Notes that rows were handed over.
   *
   * @param upTo How many rows of the page.
   * @param fresh How many of them, since the last time, are new.
   */
  handOver(upTo: number, fresh: number): void {
    this.#handedOver = upTo;
    this.#handedOverTo = Math.max(this.#handedOverTo, this.#began + upTo);
    this.#items += fresh;
  }

  /** Where the walk is, behind the row that was handed over last. */
  checkpoint(): Checkpoint {
    const own = this.#ids.slice(0, this.#handedOver);
    const missing = this.#limit - own.length;
    const before = missing > 0 ? this.#idsBefore.slice(-missing) : [];
    return {
      version: 1,
      query: this.#query,
      position: this.#handedOverTo,
      start: this.#start,
      count: this.#items,
      last: [...new Set([...before, ...own])],
      ...(this.#total === undefined ? {} : { total: this.#total }),
    };
  }

  /** What the walk did so far. */
  report(stopReason: WalkReport["stopReason"]): WalkReport {
    return {
      pages: this.#pages,
      items: this.#items,
      duplicates: this.#duplicates,
      ...(this.#total === undefined ? {} : { total: this.#total }),
      drift: [...this.#drift],
      driftCount: this.#driftCount,
      ...(stopReason === undefined ? {} : { stopReason }),
      complete: stopReason === "end" && this.#driftCount === 0,
    };
  }

  /** Number of rows that the total promises to a walk from its start. */
  get #expected(): number {
    return Math.max(0, (this.#total ?? 0) - this.#start);
  }

  /** Takes in the total, and tells whether it grew. */
  #readTotal(asked: Asked, view: PageView<Item>): boolean {
    const to = countOf(view.total);
    const from = this.#total;
    if (to === undefined) return false;
    this.#total = to;
    if (from === undefined || from === to) return false;
    this.#noteDrift({ kind: "total", offset: asked.offset, from, to });
    return to > from;
  }

  /** Where the page really begins. */
  #beginning(asked: Asked, view: PageView<Item>, newCount: number, isFirst: boolean): number {
    const claimed = countOf(view.offset);
    if (claimed === undefined || claimed === asked.offset || view.items.length === 0) {
      return asked.offset;
    }
    if (claimed > asked.offset) {
      throw new StalledError(
        asked.offset,
        `The service left out rows: asked to skip ${asked.offset}, it skipped ${claimed}`,
      );
    }
    // A page of new rows can't have begun among rows that were read: then the claim is wrong.
    const repeated = view.items.length - newCount;
    return !isFirst && repeated <= this.#position - asked.offset ? asked.offset : claimed;
  }

  /** The last row of the page before must stand where it stood. */
  #checkAnchor(asked: Asked, id: Id | undefined): void {
    const anchor = this.#ids.at(-1);
    if (anchor !== undefined && id !== anchor) {
      this.#noteDrift({ kind: "shifted", offset: asked.offset });
    }
  }

  #checkRepeated(asked: Asked, isNew: readonly boolean[] | undefined, overlap: number): void {
    if (isNew === undefined) return;
    let repeated = 0;
    for (let index = overlap; index < isNew.length; index++) if (!isNew[index]) repeated++;
    if (repeated === 0) return;
    this.#duplicates += repeated;
    this.#noteDrift({ kind: "repeated", offset: asked.offset, count: repeated });
  }

  #checkProgress(asked: Asked, ids: readonly Id[], newCount: number, totalGrew: boolean): void {
    this.#fruitless = newCount > 0 ? 0 : this.#fruitless + ids.length;
    if (this.#fruitless === 0) return;
    const before = this.#ids;
    const same = ids.length === before.length && ids.every((id, index) => id === before[index]);
    // Rows inserted before this page, as many as it has, repeat it too; then the total grew.
    if ((same && !totalGrew) || this.#fruitless > this.#memory.count) {
      throw new StalledError(
        asked.offset,
        `The service repeats itself: asked to skip ${asked.offset}, it sent rows that were sent ` +
          `before, and ${this.#memory.count} different ones so far`,
      );
    }
  }

  /** Decides about a page that has no row behind those that were read. */
  #nothingBehind(asked: Asked, length: number, isShort: boolean): Step["next"] {
    if (length > 0 && !isShort) {
      throw new StalledError(
        asked.offset,
        `The service goes no further: asked to skip ${asked.offset}, it sent only rows that were ` +
          `sent before, ${this.#memory.count} different ones so far`,
      );
    }
    if (this.#total === undefined || this.#position >= this.#total) return "end";
    if (this.#emptyAt === this.#position) {
      throw new StalledError(
        asked.offset,
        `The service stops early: it says that ${this.#total} rows match, but has none after ` +
          `${this.#position}`,
      );
    }
    // Total and rows may have been read at different moments: once more will tell.
    this.#emptyAt = this.#position;
    return "again";
  }

  #checkShort(asked: Asked): void {
    if (this.#total === undefined || this.#memory.count >= this.#expected) return;
    this.#noteDrift({
      kind: "short",
      offset: asked.offset,
      expected: this.#expected,
      seen: this.#memory.count,
    });
  }

  #noteDrift(drift: Drift): void {
    this.#driftCount++;
    if (this.#drift.length < MOST_DRIFT) this.#drift.push(drift);
    if (this.#onDrift === "throw") throw new DriftError(drift, describeDrift(drift));
    this.#onDrift?.(drift);
  }
}

/** A number that counts rows, or undefined when the service sent something else. */
function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? value as number : undefined;
}

function describeDrift(drift: Drift): string {
  switch (drift.kind) {
    case "repeated":
      return `Rows changed during the walk: ${drift.count} came again at ${drift.offset}`;
    case "total":
      return `Rows changed during the walk: the total was ${drift.from} and is ${drift.to}`;
    case "shifted":
      return `Rows changed during the walk: at ${drift.offset} stands another row than before`;
    case "short":
      return `Rows changed during the walk: ${drift.expected} were promised, ${drift.seen} came`;
  }
}
