/**
 * The bookkeeping of a walk: where the next page begins, which rows are new, what does not add up,
 * and whether the end is reached. Nothing is requested here.
 *
 * @module
 */

import { checkCheckpoint, hashQuery } from "./checkpoint.ts";
import { DriftError, StalledError } from "./errors.ts";
import { rememberAll, rememberEdges } from "./memory.ts";
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
export interface Progress<Item> {
  /** The next page to ask for. */
  readonly next: Asked;
  /** From the beginning on, remembers no more than it takes to hand over whole pages. */
  handOverPages(): void;
  /** Whether there should be rows at an offset, as far as the total tells. */
  isWithin(offset: number): boolean;
  /**
   * Takes in a page.
   *
   * @param asked What was asked for.
   * @param view What came.
   * @returns What it brought.
   * @throws {StalledError} When the service contradicts or repeats itself.
   * @throws {DriftError} When rows changed and the caller chose that as an error.
   */
  read(asked: Asked, view: PageView<Item>): Step;
  /**
   * Notes that rows were handed over.
   *
   * @param upTo How many rows of the page.
   * @param fresh How many of them, since the last time, are new.
   */
  handOver(upTo: number, fresh: number): void;
  /** Where the walk is, behind the row that was handed over last. */
  checkpoint(): Checkpoint;
  /** What the walk did so far. */
  report(stopReason: WalkReport["stopReason"]): WalkReport;
}

/**
 * Begins the bookkeeping of a walk.
 *
 * @param source What is walked over.
 * @param options How.
 * @returns The bookkeeping.
 * @throws {ConfigurationError} When the checkpoint can't be used.
 */
export function createProgress<Item>(
  source: {
    readonly query: string;
    readonly limit: number;
    readonly offset: number;
    idOf(item: Item): Id;
  },
  { onDrift, verify = false, resume }: WalkOptions,
): Progress<Item> {
  const query = hashQuery(source.query);
  const from = resume === undefined ? undefined : checkCheckpoint(resume, query);
  // The most rows to ask for; a page must hold more than the row that it repeats.
  let limit = verify ? Math.max(2, source.limit) : source.limit;
  let start = from?.start ?? source.offset;
  // Where the next page begins.
  let position = from?.position ?? start;
  let total = from?.total;
  // Ids of the page that was read last, and of the one before.
  let ids: readonly Id[] = from?.last ?? [];
  let idsBefore: readonly Id[] = [];
  let memory = rememberAll(ids, from?.count ?? 0);
  // Rows since the last new one.
  let fruitless = 0;
  // Where the service gave no rows although its total promises some.
  let emptyAt: number | undefined;
  // Where the page begins that is being handed over, and what was handed over.
  let began = position;
  let handedOver = ids.length;
  let handedOverTo = position;
  let items = from?.count ?? 0;
  let pages = 0;
  let duplicates = 0;
  let driftCount = 0;
  const drifts: Drift[] = [];

  const note = (drift: Drift) => {
    driftCount++;
    if (drifts.length < MOST_DRIFT) drifts.push(drift);
    if (onDrift === "throw") throw new DriftError(drift, describeDrift(drift));
    onDrift?.(drift);
  };
  const stall = (offset: number, what: string): never => {
    const sofar = `asked to skip ${offset}, after ${memory.count} different rows`;
    throw new StalledError(offset, `The service ${what}, ${sofar}`);
  };
  /** Number of rows that the total promises to a walk from its start. */
  const expected = () => Math.max(0, (total ?? 0) - start);

  /** Takes in the total, and tells whether it grew. */
  const readTotal = (offset: number, to: number | undefined): boolean => {
    const before = total;
    total = to ?? before;
    if (before === undefined || total === undefined || before === total) return false;
    note({ kind: "total", offset, from: before, to: total });
    return total > before;
  };
  /** Where the page really begins; the claim is what the service says. */
  const beginning = (offset: number, claim: number | undefined, isCredible: () => boolean) => {
    if (claim === undefined || claim === offset) return offset;
    if (claim > offset) return stall(offset, `left out rows and skipped ${claim}`);
    return isCredible() ? claim : offset;
  };
  /** A page whose rows are all known may be a sign that the service goes in a circle. */
  const checkProgress = (offset: number, now: readonly Id[], newCount: number, grew: boolean) => {
    fruitless = newCount > 0 ? 0 : fruitless + now.length;
    const same = now.length === ids.length && now.every((id, index) => id === ids[index]);
    // Rows inserted before this page, as many as it has, repeat it too; then the total grew.
    if (fruitless > memory.count || (fruitless > 0 && same && !grew)) {
      stall(offset, "repeats itself");
    }
  };
  /** Decides about a page that has no row behind those that were read. */
  const nothingBehind = (offset: number, isFull: boolean): Step["next"] => {
    if (isFull) stall(offset, "goes no further");
    if (total !== undefined && position < total) {
      if (emptyAt === position) stall(offset, `stops early, although it says ${total} rows match`);
      // Total and rows may have been read at different moments: once more will tell.
      emptyAt = position;
      return "again";
    }
    if (total !== undefined && memory.count < expected()) {
      note({ kind: "short", offset, expected: expected(), seen: memory.count });
    }
    return "end";
  };

  return {
    get next() {
      const overlap = verify && ids.length > 0 && position > 0 ? 1 : 0;
      return { offset: position - overlap, limit };
    },
    handOverPages() {
      memory = rememberEdges(ids, items);
    },
    isWithin: (offset) => total === undefined || offset < total,
    read({ offset, limit: askedLimit }, view) {
      pages++;
      const grew = readTotal(offset, countOf(view.total));
      const usedLimit = Math.min(askedLimit, countOf(view.limit) || askedLimit);
      limit = Math.min(limit, usedLimit);
      const rows = view.items;
      const now: Id[] = Array(rows.length);
      for (let index = 0; index < now.length; index++) now[index] = source.idOf(rows[index]);
      const isShort = now.length < usedLimit;
      const isFirst = memory.count === 0;
      const { isNew, newCount } = memory.sift(now);
      const isEmpty = now.length === 0;
      const begins = beginning(
        offset,
        isEmpty ? undefined : countOf(view.offset),
        // A page of new rows can't have begun among rows that were read: then the claim is wrong.
        () => isFirst || now.length - newCount > position - offset,
      );
      if (isFirst) start = Math.min(start, begins);
      // So many rows at the beginning of the page were read before, which is no surprise.
      const overlap = Math.max(0, position - begins);
      // The last of them must stand where it stood.
      if (overlap > 0 && ids.length > 0 && now[overlap - 1] !== ids.at(-1)) {
        note({ kind: "shifted", offset });
      }
      if (newCount === 0 && now.length <= overlap) {
        const next = nothingBehind(offset, !isEmpty && !isShort);
        return { isNew, newCount, next, hasMore: false, stride: 1, foreseeable: false };
      }
      checkProgress(offset, now, newCount, grew);
      const repeated = isNew?.filter((fresh, index) => !fresh && index >= overlap).length;
      if (repeated) {
        duplicates += repeated;
        note({ kind: "repeated", offset, count: repeated });
      }
      position = begins + now.length;
      idsBefore = ids;
      ids = now;
      began = begins;
      handedOver = 0;
      const hasTotal = total !== undefined;
      return {
        isNew,
        newCount,
        next: hasTotal && isShort && memory.count >= expected() ? "end" : "on",
        hasMore: true,
        stride: Math.max(1, now.length - (verify ? 1 : 0)),
        // Without a total, a short page may well be the last one.
        foreseeable: hasTotal || !isShort,
      };
    },
    handOver(upTo, fresh) {
      handedOver = upTo;
      handedOverTo = Math.max(handedOverTo, began + upTo);
      items += fresh;
    },
    checkpoint() {
      const own = ids.slice(0, handedOver);
      const before = idsBefore.slice(Math.min(0, own.length - limit) || idsBefore.length);
      return {
        version: 1,
        query,
        position: handedOverTo,
        start,
        count: items,
        last: [...new Set([...before, ...own])],
        ...(total === undefined ? {} : { total }),
      };
    },
    report: (stopReason) => ({
      pages,
      items,
      duplicates,
      ...(total === undefined ? {} : { total }),
      drift: [...drifts],
      driftCount,
      ...(stopReason === undefined ? {} : { stopReason }),
      complete: stopReason === "end" && driftCount === 0,
    }),
  };
}

/** A number that counts rows, or undefined when the service sent something else. */
function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? value as number : undefined;
}

function describeDrift(drift: Drift): string {
  const at = `Rows changed during the walk, at ${drift.offset}: `;
  switch (drift.kind) {
    case "repeated":
      return `${at}${drift.count} came again`;
    case "total":
      return `${at}the total was ${drift.from} and is ${drift.to}`;
    case "shifted":
      return `${at}another row than before`;
    case "short":
      return `${at}${drift.expected} were promised and ${drift.seen} came`;
  }
}
