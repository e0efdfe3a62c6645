/**
 * The pages that a walk has asked for and not read yet.
 *
 * @module
 */

import type { Asked } from "./progress.ts";
import type { PageRequest } from "./walk.ts";

/** One page that was asked for. */
export interface Flight<Page> extends Asked {
  /** The page. */
  readonly page: Promise<Page>;
}

/** Pages in flight, in the order of the list. */
export interface PageWindow<Page> {
  /** Begins to listen to the caller's signal. */
  open(): void;
  /** How many pages are in flight or wait to be taken. */
  readonly size: number;
  /** The last page that was asked for. */
  readonly last: Flight<Page> | undefined;
  /** Asks for a page behind all others. */
  add(asked: Asked): void;
  /**
   * Takes the next page out. When another one was foreseen, all are cancelled and this one is
   * asked for.
   */
  take(asked: Asked): Flight<Page>;
  /** Cancels every page and lets go of the caller's signal. */
  close(): void;
}

/**
 * Makes a window without pages.
 *
 * @param get Asks for a page.
 * @param outer Cancels all pages.
 * @returns The window.
 */
export function createPageWindow<Page>(
  get: (request: PageRequest) => PromiseLike<Page>,
  outer?: AbortSignal,
): PageWindow<Page> {
  let flights: Flight<Page>[] = [];
  let controller = new AbortController();
  const onAbort = () => controller.abort(outer?.reason);

  const add = ({ offset, limit }: Asked) => {
    const page = Promise.resolve(get({ offset, limit, signal: controller.signal }));
    // Whoever takes the page sees its error; a page that nobody takes has none to tell.
    page.catch(() => {});
    flights.push({ offset, limit, page });
  };
  const cancel = () => {
    if (flights.length === 0) return;
    flights = [];
    controller.abort();
    controller = new AbortController();
  };
  return {
    open: () => outer?.addEventListener("abort", onAbort, { once: true }),
    get size() {
      return flights.length;
    },
    get last() {
      return flights.at(-1);
    },
    add,
    take(asked) {
      if (flights[0]?.offset !== asked.offset) {
        cancel();
        add(asked);
      }
      return flights.shift()!;
    },
    close() {
      outer?.removeEventListener("abort", onAbort);
      // The page that was taken out last may still be on its way.
      flights = [];
      controller.abort();
    },
  };
}
