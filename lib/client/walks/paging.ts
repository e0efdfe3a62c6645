/**
 * Walks over all pages of a list, whether a client, a store or a test returns them.
 *
 * The interface offers only offsets, and rows may change while they are read. So a walk relies on
 * what it sees: the next page starts where the last one really ended, rows are identified by id, a
 * short page does not prove the end, and every contradiction is reported or thrown.
 */
import { checkCount } from "../../check.ts";
import { AbortError, ConfigurationError } from "../../errors.ts";
import {
  type Memory,
  type PageOutcome,
  Progress,
  type RequestedPage,
  type RowId,
} from "./progress.ts";
import type { PageSource, Walk, WalkOptions, WalkReport } from "./walk.ts";

interface Flight<Page> extends RequestedPage {
  readonly page: Promise<Page>;
}

/**
 * Walks over all pages of a list; nothing is requested before the walk is iterated. Throws a
 * ConfigurationError if an option is not valid, or the checkpoint is of another query.
 */
export function walk<Page, Item>(
  source: PageSource<Page, Item>,
  options: WalkOptions = {},
): Walk<Page, Item> {
  checkCount("limit", source.limit, 1);
  checkCount("offset", source.offset, 0);
  const { prefetch = 0, signal } = options;
  checkCount("prefetch", options.prefetch ?? 1, 1);
  const progress = new Progress(source, options);
  // Pages that were requested and not read yet, in the order of the list.
  let flights: Flight<Page>[] = [];
  // One for each request: Node warns when many listeners share a signal.
  const controllers = new Set<AbortController>();
  let stopReason: WalkReport["stopReason"];
  let isStarted = false;

  const request = (part: RequestedPage) => {
    const controller = new AbortController();
    controllers.add(controller);
    const page = Promise.resolve(source.getPage({ ...part, signal: controller.signal }));
    // The walk gets the error when it reads the page; of a page that is never read, it is ignored.
    page.catch(() => {}).finally(() => controllers.delete(controller));
    flights.push({ ...part, page });
  };
  /** Cancels every page in flight, including the one that the walk is waiting for. */
  const cancel = () => {
    flights = [];
    for (const controller of controllers) controller.abort(signal?.reason);
  };
  /** Keeps `prefetch` pages in flight; cancels those that turn out to begin at the wrong offset. */
  const requestAhead = ({ stride, plannedEnd, maxAhead }: PageOutcome) => {
    const { offset, limit } = progress.next;
    if (flights.length > 0 && flights[0].offset !== offset) cancel();
    while (flights.length < Math.min(prefetch, maxAhead)) {
      const last = flights.at(-1);
      const next = last ? last.offset + stride : offset;
      if (last && next >= plannedEnd) return;
      request({ offset: next, limit });
    }
  };
  const checkSignal = () => {
    if (signal?.aborted) throw new AbortError("The walk was aborted", { cause: signal.reason });
  };

  async function* iterate<Output>(
    rememberFrom: (last: readonly RowId[]) => Memory,
    toOutputs: (items: readonly Item[], page: Page) => Iterable<Output>,
  ): AsyncGenerator<Output, void, undefined> {
    if (isStarted) {
      throw new ConfigurationError("walk", "A walk can be iterated only once");
    }
    isStarted = true;
    progress.begin(rememberFrom);
    signal?.addEventListener("abort", cancel);
    let reason: WalkReport["stopReason"] = "left";
    try {
      let outcome: PageOutcome | undefined;
      while (!outcome?.isEnd) {
        checkSignal();
        if (flights.length === 0) request(progress.next);
        const flight = flights.shift()!;
        const page = await flight.page;
        const view = source.read(page);
        outcome = progress.read(flight, view);
        if (!outcome.isEnd) requestAhead(outcome);
        if (!outcome.hasMore) continue;
        for (const output of toOutputs(view.items, page)) yield output;
      }
      reason = "end";
    } catch (error) {
      reason = "failed";
      throw error;
    } finally {
      cancel();
      signal?.removeEventListener("abort", cancel);
      stopReason = reason;
    }
  }
  function* newRows(items: readonly Item[]): Iterable<Item> {
    for (const item of items) {
      checkSignal();
      if (progress.emit()) yield item;
    }
  }
  const wholePage = (items: readonly Item[], page: Page) => {
    for (const _ of items) progress.emit();
    return [page];
  };

  return {
    get report() {
      return progress.report(stopReason);
    },
    checkpoint: () => progress.checkpoint(),
    [Symbol.asyncIterator]: () => cancelledOnReturn(iterate(rememberAll, newRows), cancel),
    pages: () => cancelledOnReturn(iterate(rememberEdges, wholePage), cancel),
  };
}

/** Leaving the loop then cancels the page that the walk is waiting for, too. */
function cancelledOnReturn<Output>(
  iteration: AsyncGenerator<Output, void, undefined>,
  cancel: () => void,
): AsyncIterableIterator<Output> {
  const leave = iteration.return.bind(iteration);
  return Object.assign(iteration, {
    return() {
      cancel();
      return leave();
    },
  });
}

/** For walks by row: no row is new twice, and none of the `last` rows of an earlier walk is new. */
function rememberAll(last: readonly RowId[]): Memory {
  const known = new Set(last);
  return (ids) => ids.map((id) => addTo(known, id));
}

/** For walks by page: the first row of each page and the last so far show rows that moved. */
function rememberEdges(last: readonly RowId[]): Memory {
  const firstIds = new Set<RowId>();
  let previous = last.at(-1);
  return (ids) => {
    // Rows up to the last one of the page before are not new, unless the order changed.
    const until = ids.lastIndexOf(previous!);
    const known = !addTo(firstIds, ids[0]) && until < 0 ? ids.length : until + 1;
    previous = ids.at(-1) ?? previous;
    return Array(ids.length).fill(true).fill(false, 0, known);
  };
}

function addTo(known: Set<RowId>, id: RowId): boolean {
  const before = known.size;
  return known.add(id).size > before;
}
