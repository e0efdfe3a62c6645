/**
 * The bookkeeping of a walk: where the next page begins, which rows are new, what does not add up,
 * and whether the end is reached. Nothing is requested here.
 */
import { check } from "../../check.ts";
import { checkCheckpoint, hashQuery, isId } from "./checkpoint.ts";
import { createClaims } from "./claims.ts";
import { createDriftLog } from "./drift_log.ts";
import { StalledError } from "../../errors.ts";
import type { Memory } from "./memory.ts";
import type {
  Checkpoint,
  PageRequest,
  PageSource,
  PageView,
  WalkOptions,
  WalkReport,
} from "./walk.ts";

type Id = string | number;

export type RequestedPage = Omit<PageRequest, "signal">;

/** What a page brought. */
export interface Step {
  /** Whether the page has rows behind those that were read. */
  readonly hasMore: boolean;
  readonly isEnd: boolean;
  /** Where the page after the next one is likely to begin, relative to the next one. */
  readonly stride: number;
  /** Pages that begin before this offset may be requested ahead. */
  readonly plannedEnd: number;
  /** How many pages may be requested ahead; without a total, the number doubles with each page. */
  readonly maxAhead: number;
}

/**
 * Begins the bookkeeping of a walk. Throws a ConfigurationError when the checkpoint can't be used.
 */
export function createProgress<Item>(
  source: Pick<PageSource<unknown, Item>, "query" | "limit" | "offset" | "idOf" | "oddities">,
  { onDrift, verify = false, resume }: WalkOptions,
) {
  const query = hashQuery(source.query);
  if (resume !== undefined) checkCheckpoint(resume, query);
  // Where the walk began and where the next page begins, the number of different rows that were
  // read, and the ids of the page that was read last.
  const from: Partial<Checkpoint> = resume ?? {};
  let { start = source.offset, position = start, count = 0, total, last: ids = [] } = from;
  let idsBefore: readonly Id[] = [];
  const log = createDriftLog(onDrift);
  const readClaim = createClaims(log);
  const overlapping = verify ? 1 : 0;
  // The most rows to request; a page must hold more than the row that it repeats.
  let limit = Math.max(source.limit, 1 + overlapping);
  let remember: Memory;
  // For each row of the page that was read last, whether it is new.
  let isNew: readonly boolean[] = [];
  // Whether that page has fewer rows than it could have, and whether that can still mean the end.
  let isShort = false;
  let shortMayBeEnd = true;
  // Rows since the last new one.
  let rowsSinceNew = 0;
  // Where the service gave no rows although its total promises some.
  let emptyAt: number | undefined;
  // How many rows of the page that was read last were emitted.
  let emitted = ids.length;
  let items = count;
  let pages = 0;
  let duplicates = 0;

  const stall = (offset: number, what: string): never => {
    const soFar = `asked to skip ${offset}, after ${count} different rows`;
    throw new StalledError(offset, `The service ${what}, ${soFar}`);
  };
  /** Where a page begins, by what the service says and what its rows show. */
  const beginOf = (view: PageView<Item>, offset: number, newCount: number): number => {
    const { length } = view.items;
    // A page of new rows can't have begun among rows that were read.
    const canBeEarlier = count === 0 || length - newCount > position - offset;
    const isDisproved = (claimed: number) => claimed < offset && !canBeEarlier;
    const claimed = length > 0 ? readClaim("offset", view, offset, isDisproved, offset) : undefined;
    const begins = claimed ?? offset;
    if (begins > offset) stall(offset, `left out rows and skipped ${begins}`);
    return begins;
  };
  /** The most rows that a page could have. */
  const limitOf = (view: PageView<Item>, offset: number, asked: number): number => {
    const { length } = view.items;
    const isDisproved = (claimed: number) => claimed > 0 && claimed < Math.min(length, asked);
    return Math.min(asked, readClaim("limit", view, offset, isDisproved, length) || asked);
  };
  /** Reads the total, and whether it grew. */
  const readTotal = (view: PageView<Item>, offset: number): boolean => {
    const { length } = view.items;
    const before = total;
    const end = offset + length;
    const isDisproved = (claimed: number) => length > 0 && end > claimed;
    total = readClaim("total", view, offset, isDisproved, end) ?? before;
    if (length > 0 && end > total!) total = undefined;
    if (before === undefined || total === undefined || before === total) return false;
    log.add(
      { kind: "total", offset, from: before, to: total },
      `the total was ${before} and is ${total}`,
    );
    return total > before;
  };
  /** Throws when the service repeats pages instead of going on. */
  const checkRepetition = (now: readonly Id[], newCount: number, offset: number, grew: boolean) => {
    // Rows inserted before this page, as many as it has, repeat it too; then the total grew.
    rowsSinceNew = newCount > 0 ? 0 : rowsSinceNew + now.length;
    const isSame = () => String(now) === String(ids);
    if (rowsSinceNew > count || (rowsSinceNew > 0 && !grew && isSame())) {
      stall(offset, "repeats itself");
    }
  };
  /** Whether a page without further rows ends the walk. */
  const isEndAt = (offset: number): boolean => {
    if (!isShort) stall(offset, "goes no further");
    if (position < total!) {
      if (emptyAt === position) {
        stall(offset, `stops early, although it says ${total} rows match`);
      }
      // The service may have read the total and the rows at different moments: try once more.
      emptyAt = position;
      return false;
    }
    // Without a total, the comparisons are false.
    const expected = total! - start;
    if (count < expected) {
      log.add(
        { kind: "short", offset, expected, seen: count },
        `${expected} were promised and ${count} came`,
      );
    }
    return true;
  };

  return {
    /** The next page to request. */
    get next(): RequestedPage {
      return { offset: position - (ids.length > 0 ? overlapping : 0), limit };
    },
    /** Sets what to remember of the rows; called once, before the first page. */
    begin(rememberFrom: (last: readonly Id[]) => Memory): void {
      remember = rememberFrom(ids);
    },
    /**
     * Takes in a page.
     *
     * @throws {StalledError} When the service leaves out rows, repeats itself or stops early.
     * @throws {DriftError} When rows changed and the caller chose that as an error.
     */
    read({ offset, limit: asked }: RequestedPage, view: PageView<Item>): Step {
      pages++;
      const now = view.items.map((item) => source.idOf(item));
      check(now.every(isId), "idOf", "a function that returns a string or an exact integer");
      isNew = remember(now);
      const newCount = isNew.reduce((sum, fresh) => sum + Number(fresh), 0);
      const begins = beginOf(view, offset, newCount);
      const used = limitOf(view, begins, asked);
      const grew = readTotal(view, begins);
      limit = Math.min(limit, used);
      if (count === 0) start = Math.min(start, begins);
      count += newCount;
      // So many rows at the beginning of the page were read before, as planned.
      const overlap = Math.max(0, position - begins);
      // The last of them must stand where it stood.
      if (overlap > 0 && ids.length > 0 && now[overlap - 1] !== ids.at(-1)) {
        log.add({ kind: "shifted", offset }, "another row than before");
      }
      const hasMore = newCount > 0 || now.length > overlap;
      if (hasMore) {
        checkRepetition(now, newCount, offset, grew);
        const repeated = isNew.slice(overlap).filter((fresh) => !fresh).length;
        duplicates += repeated;
        if (repeated > 0) {
          log.add({ kind: "repeated", offset, count: repeated }, `${repeated} came again`);
        }
        position = begins + now.length;
        idsBefore = ids;
        ids = now;
        emitted = 0;
        // A short page that had rows behind it: this service's pages may be short anywhere.
        if (isShort) shortMayBeEnd = false;
      }
      isShort = now.length < used;
      const isEnd = hasMore ? isShort && shortMayBeEnd && count >= total! - start : isEndAt(offset);
      return {
        hasMore,
        isEnd,
        stride: Math.max(0, now.length - overlapping) || Infinity,
        // Without a total, a short page may well be the last one.
        plannedEnd: total ?? (isShort ? 0 : Infinity),
        maxAhead: total === undefined ? 2 ** (pages - 1) : Infinity,
      };
    },
    /** Counts the next row of the page that was read last as emitted; says whether it is new. */
    emit(): boolean {
      const fresh = isNew[emitted++];
      if (fresh) items++;
      return fresh;
    },
    /** Where the walk is, behind the row that was emitted last. */
    checkpoint(): Checkpoint {
      const last = [...idsBefore, ...ids.slice(0, emitted)].slice(-limit);
      return {
        version: 1,
        query,
        position: position - ids.length + emitted,
        start,
        count: items,
        last,
        total,
      };
    },
    report: (stopReason: WalkReport["stopReason"]): WalkReport => ({
      pages,
      items,
      duplicates,
      total,
      drift: log.drift,
      driftCount: log.driftCount,
      oddities: source.oddities?.() ?? [],
      stopReason,
      complete: stopReason === "end" && log.driftCount === 0,
    }),
  };
}
