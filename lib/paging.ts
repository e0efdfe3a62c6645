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
import { PageWindow } from "./page_window.ts";
import { checkCount } from "./request.ts";
import { Progress, type Step } from "./progress.ts";
import type { Checkpoint, PageSource, Walk, WalkOptions, WalkReport } from "./walk.ts";

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
  checkCount("prefetch", options.prefetch ?? 1, 1);
  return new PageWalk(source, options);
}

class PageWalk<Page, Item> implements Walk<Page, Item> {
  readonly #source: PageSource<Page, Item>;
  readonly #options: WalkOptions;
  readonly #progress: Progress<Item>;
  #begun = false;
  #stopReason: WalkReport["stopReason"];

  constructor(source: PageSource<Page, Item>, options: WalkOptions) {
    this.#source = source;
    this.#options = options;
    this.#progress = new Progress(source, options);
  }

  get report(): WalkReport {
    return this.#progress.report(this.#stopReason);
  }

  checkpoint(): Checkpoint {
    return this.#progress.checkpoint();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Item> {
    const { signal } = this.#options;
    for await (const { items, isNew } of this.#steps()) {
      for (let index = 0; index < items.length; index++) {
        if (signal?.aborted) throw aborted(signal);
        const fresh = isNew === undefined || isNew[index];
        this.#progress.handOver(index + 1, fresh ? 1 : 0);
        if (fresh) yield items[index];
      }
    }
  }

  async *pages(): AsyncIterableIterator<Page> {
    if (!this.#begun) this.#progress.handOverPages();
    for await (const { page, items, newCount } of this.#steps()) {
      this.#progress.handOver(items.length, newCount);
      yield page;
    }
  }

  async *#steps(): AsyncGenerator<Step & { readonly page: Page; readonly items: readonly Item[] }> {
    if (this.#begun) {
      throw new ConfigurationError("walk", "A walk can be iterated once; start another one");
    }
    this.#begun = true;
    const { signal } = this.#options;
    const progress = this.#progress;
    const pages = new PageWindow<Page>((request) => this.#source.getPage(request), signal);
    let reason: WalkReport["stopReason"] = "left";
    try {
      for (;;) {
        if (signal?.aborted) throw aborted(signal);
        const flight = pages.take(progress.next);
        const page = await flight.page;
        const view = this.#source.read(page);
        const step = progress.read(flight, view);
        if (step.next === "on") this.#askAhead(pages, step);
        if (step.hasMore) yield { ...step, page, items: view.items };
        if (step.next === "end") break;
      }
      reason = "end";
    } catch (error) {
      reason = "failed";
      throw error;
    } finally {
      pages.close();
      this.#stopReason = reason;
    }
  }

  /** Keeps as many pages in flight as were wished for. */
  #askAhead(pages: PageWindow<Page>, { stride, foreseeable }: Step): void {
    const { prefetch = 0 } = this.#options;
    const { offset, limit } = this.#progress.next;
    while (pages.size < prefetch) {
      const next = pages.last === undefined ? offset : pages.last.offset + stride;
      const isNext = next === offset;
      if (!isNext && !(foreseeable && this.#progress.isWithin(next))) return;
      pages.add({ offset: next, limit });
    }
  }
}

function aborted(signal: AbortSignal): AbortError {
  return new AbortError("The walk was aborted", { cause: signal.reason });
}
