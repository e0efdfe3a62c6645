/**
 * A walk over all pages of a list, over whatever gives pages: the client, a store, a test.
 *
 * Offsets are all that the interface offers, and rows may change while they are read. So a walk
 * goes by evidence: the next page begins where the last one really ended, rows are told apart by
 * id, a short page is no proof of the end, and whatever does not add up is reported or thrown.
 *
 * @module
 */

import { AbortError, ConfigurationError } from "./errors.ts";
import { createPageWindow } from "./page_window.ts";
import { checkCount } from "./request.ts";
import { createProgress, type Step } from "./progress.ts";
import type { PageSource, Walk, WalkOptions, WalkReport } from "./walk.ts";

/**
 * Walks over all pages of a list.
 *
 * @param source The list.
 * @param options How the walk goes.
 * @returns The walk; nothing is requested before it is iterated.
 * @throws {ConfigurationError} When an option can't be used, or the checkpoint is not of this
 * query.
 *
 * @example
 * ```ts
 * import { walk } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const rows = [{ id: 1 }, { id: 2 }, { id: 3 }];
 * const all = walk({
 *   getPage: ({ offset, limit }) => Promise.resolve(rows.slice(offset, offset + limit)),
 *   read: (page) => ({ items: page }),
 *   idOf: (row) => row.id,
 *   query: "all rows",
 *   limit: 2,
 *   offset: 0,
 * });
 * assertEquals(await Array.fromAsync(all), rows);
 * assertEquals(all.report.complete, true);
 * ```
 */
export function walk<Page, Item>(
  source: PageSource<Page, Item>,
  options: WalkOptions = {},
): Walk<Page, Item> {
  checkCount("limit", source.limit, 1);
  checkCount("offset", source.offset, 0);
  const { prefetch = 0, signal } = options;
  if (options.prefetch !== undefined) checkCount("prefetch", prefetch, 1);
  const progress = createProgress(source, options);
  const pages = createPageWindow<Page>((request) => source.getPage(request), signal);
  let begun = false;
  let stopReason: WalkReport["stopReason"];

  async function* steps(): AsyncGenerator<ReadPage<Page, Item>> {
    if (begun) {
      throw new ConfigurationError("walk", "A walk can be iterated once; start another one");
    }
    begun = true;
    pages.open();
    let reason: WalkReport["stopReason"] = "left";
    try {
      for (let next: Step["next"] = "on"; next !== "end";) {
        checkSignal();
        const flight = pages.take(progress.next);
        const page = await flight.page;
        const view = source.read(page);
        const step = progress.read(flight, view);
        next = step.next;
        if (next === "on") askAhead(step);
        if (step.hasMore) yield { ...step, page, items: view.items };
      }
      reason = "end";
    } catch (error) {
      reason = "failed";
      throw error;
    } finally {
      pages.close();
      source.close?.();
      stopReason = reason;
    }
  }
  /** Keeps as many pages in flight as were wished for. */
  function askAhead({ stride, foreseeable }: Step): void {
    const { offset, limit } = progress.next;
    while (pages.size < prefetch) {
      const next = pages.last === undefined ? offset : pages.last.offset + stride;
      if (next !== offset && !(foreseeable && progress.isWithin(next))) return;
      pages.add({ offset: next, limit });
    }
  }
  async function* rows(): AsyncGenerator<Item, void, undefined> {
    for await (const { items, isNew } of steps()) {
      for (let index = 0; index < items.length; index++) {
        checkSignal();
        const fresh = isNew === undefined || isNew[index];
        progress.handOver(index + 1, fresh ? 1 : 0);
        if (fresh) yield items[index];
      }
    }
  }
  async function* wholePages(): AsyncGenerator<Page, void, undefined> {
    if (!begun) progress.handOverPages();
    for await (const { page, items, newCount } of steps()) {
      progress.handOver(items.length, newCount);
      yield page;
    }
  }
  function checkSignal(): void {
    if (signal?.aborted) throw new AbortError("The walk was aborted", { cause: signal.reason });
  }

  return {
    get report() {
      return progress.report(stopReason);
    },
    checkpoint: progress.checkpoint,
    [Symbol.asyncIterator]: () => leaving(rows(), pages.close),
    pages: () => leaving(wholePages(), pages.close),
  };
}

/** Leaving the iteration calls off the page that is being waited for, and not only those behind. */
function leaving<Item>(
  iteration: AsyncGenerator<Item, void, undefined>,
  callOff: () => void,
): AsyncIterableIterator<Item> {
  return {
    next: () => iteration.next(),
    return() {
      callOff();
      return iteration.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** A page that was read. */
interface ReadPage<Page, Item> extends Step {
  readonly page: Page;
  readonly items: readonly Item[];
}
