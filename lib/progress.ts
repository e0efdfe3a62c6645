/**
 * The bookkeeping of a walk: where the next page begins, which rows are new, what does not add up,
 * and whether the end is reached. Nothing is requested here.
 *
 * @module
 */

import { isCount } from "./check.ts";
import { checkCheckpoint, hashQuery } from "./checkpoint.ts";
import { DriftError, StalledError } from "./errors.ts";
import type { Memory } from "./memory.ts";
import type { Checkpoint, Drift, PageSource, PageView, WalkOptions, WalkReport } from "./walk.ts";

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
  /** Whether the page has rows behind those that were read. */
  readonly hasMore: boolean;
  /** Whether the walk is over. */
  readonly isEnd: boolean;
  /** Where the page after the next one is likely to begin, relative to the next one. */
  readonly stride: number;
  /** Pages that begin before this offset are worth asking for already. */
  readonly foreseen: number;
}

/** Where a walk is and what it has seen. */
export interface Progress<Item> {
  /** The next page to ask for. */
  readonly next: Asked;
  /** Chooses what to remember of the rows; called once, before the first page. */
  begin(remember: (last: readonly Id[]) => Memory): void;
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
   * Hands over the next row of the page that was read last.
   *
   * @returns Whether it is new.
   */
  handOver(): boolean;
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
  source: Pick<PageSource<unknown, Item>, "query" | "limit" | "offset" | "idOf">,
  { onDrift, verify = false, resume }: WalkOptions,
): Progress<Item> {
  const query = hashQuery(source.query);
  const overlapping = verify ? 1 : 0;
  if (resume !== undefined) checkCheckpoint(resume, query);
  // Where the walk began and where the next page begins, the number of different rows that were
  // read, and the ids of the page that was read last.
  const from: Partial<Checkpoint> = resume ?? {};
  let { start = source.offset, position = start, total, count = 0, last: ids = [] } = from;
  let idsBefore: readonly Id[] = [];
  // The most rows to ask for; a page must hold more than the row that it repeats.
  let limit = Math.max(source.limit, 1 + overlapping);
  let remember: Memory;
  // For each row of the page that was read last, whether it is new.
  let isNew: readonly boolean[] = [];
  // Rows since the last new one.
  let fruitless = 0;
  // Where the service gave no rows although its total promises some.
  let emptyAt: number | undefined;
  // How many rows of the page that was read last were handed over.
  let handedOver = ids.length;
  let items = count;
  let pages = 0;
  let duplicates = 0;
  let driftCount = 0;
  const drifts: Drift[] = [];

  const note = (drift: Drift, what: string) => {
    driftCount++;
    if (drifts.length < MOST_DRIFT) drifts.push(drift);
    if (onDrift === "throw") {
      throw new DriftError(drift, `Rows changed during the walk, at ${drift.offset}: ${what}`);
    }
    onDrift?.(drift);
  };
  const stall = (offset: number, what: string): never => {
    const sofar = `asked to skip ${offset}, after ${count} different rows`;
    throw new StalledError(offset, `The service ${what}, ${sofar}`);
  };

  return {
    get next() {
      return { offset: position - (ids.length > 0 ? overlapping : 0), limit };
    },
    begin(rememberFrom) {
      remember = rememberFrom(ids);
    },
    read({ offset, limit: asked }, view) {
      pages++;
      const before = total;
      total = countOf(view.total) ?? total;
      if (before !== undefined && total !== before) {
        note(
          { kind: "total", offset, from: before, to: total! },
          `the total was ${before} and is ${total}`,
        );
      }
      const used = Math.min(asked, countOf(view.limit) || asked);
      limit = Math.min(limit, used);
      const now = view.items.map((item) => source.idOf(item));
      const isShort = now.length < used;
      isNew = remember(now);
      let newCount = 0;
      for (const fresh of isNew) if (fresh) newCount++;
      // Where the page begins, as the service says.
      const claim = now.length > 0 ? countOf(view.offset) ?? offset : offset;
      if (claim > offset) stall(offset, `left out rows and skipped ${claim}`);
      // A page of new rows can't have begun among rows that were read: then the claim is wrong.
      const isCredible = count === 0 || now.length - newCount > position - offset;
      const begins = isCredible ? claim : offset;
      if (count === 0) start = Math.min(start, begins);
      count += newCount;
      // So many rows at the beginning of the page were read before, which is no surprise.
      const overlap = Math.max(0, position - begins);
      // The last of them must stand where it stood.
      if (overlap > 0 && ids.length > 0 && now[overlap - 1] !== ids.at(-1)) {
        note({ kind: "shifted", offset }, "another row than before");
      }
      const hasMore = newCount > 0 || now.length > overlap;
      // Number of rows that the total promises; without one, comparisons are false.
      const expected = Math.max(0, total! - start);
      let isEnd = isShort && count >= expected;
      if (hasMore) {
        // A page whose rows are all known may be a sign that the service goes in a circle. Rows
        // inserted before this page, as many as it has, repeat it too; then the total grew.
        fruitless = newCount > 0 ? 0 : fruitless + now.length;
        const isSame = () => String(now) === String(ids);
        if (fruitless > count || (fruitless > 0 && !(total! > before!) && isSame())) {
          stall(offset, "repeats itself");
        }
        const repeated = newCount === now.length
          ? 0
          : isNew.slice(overlap).filter((fresh) => !fresh).length;
        duplicates += repeated;
        if (repeated > 0) {
          note({ kind: "repeated", offset, count: repeated }, `${repeated} came again`);
        }
        position = begins + now.length;
        idsBefore = ids;
        ids = now;
        handedOver = 0;
      } else if (!isShort) {
        stall(offset, "goes no further");
      } else if (position < total!) {
        if (emptyAt === position) {
          stall(offset, `stops early, although it says ${total} rows match`);
        }
        // Total and rows may have been read at different moments: once more will tell.
        emptyAt = position;
        isEnd = false;
      } else {
        isEnd = true;
        if (count < expected) {
          note(
            { kind: "short", offset, expected, seen: count },
            `${expected} were promised and ${count} came`,
          );
        }
      }
      return {
        hasMore,
        isEnd,
        stride: Math.max(0, now.length - overlapping) || Infinity,
        // Without a total, a short page may well be the last one.
        foreseen: total ?? (isShort ? 0 : Infinity),
      };
    },
    handOver() {
      const fresh = isNew[handedOver++];
      if (fresh) items++;
      return fresh;
    },
    checkpoint() {
      const last = [...idsBefore, ...ids.slice(0, handedOver)].slice(-limit);
      return {
        version: 1,
        query,
        position: position - ids.length + handedOver,
        start,
        count: items,
        last,
        total,
      };
    },
    report: (stopReason) => ({
      pages,
      items,
      duplicates,
      total,
      drift: [...drifts],
      driftCount,
      stopReason,
      complete: stopReason === "end" && driftCount === 0,
    }),
  };
}

/** A number that counts rows, or undefined when the service sent something else. */
function countOf(value: unknown): number | undefined {
  return isCount(value) ? value : undefined;
}
