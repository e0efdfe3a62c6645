/**
 * The pages that a walk has asked for and not read yet.
 *
 * @module
 */

import type { PageRequest } from "./walk.ts";

/** One page that was asked for. */
export interface Flight<Page> {
  /** Number of rows that were asked to be skipped. */
  readonly offset: number;
  /** The most rows that were asked for. */
  readonly limit: number;
  /** The page. */
  readonly page: Promise<Page>;
}

/** Pages in flight, in the order of the list. */
export class PageWindow<Page> {
  readonly #get: (request: PageRequest) => PromiseLike<Page>;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = () => this.#controller.abort(this.#signal?.reason);
  #flights: Flight<Page>[] = [];
  #controller = new AbortController();

  /**
   * @param get Asks for a page.
   * @param signal Cancels all pages.
   */
  constructor(get: (request: PageRequest) => PromiseLike<Page>, signal?: AbortSignal) {
    this.#get = get;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** How many pages are in flight or wait to be taken. */
  get size(): number {
    return this.#flights.length;
  }

  /** The last page that was asked for. */
  get last(): Flight<Page> | undefined {
    return this.#flights.at(-1);
  }

  /**
   * Asks for a page behind all others.
   *
   * @param asked Which page.
   */
  add({ offset, limit }: { readonly offset: number; readonly limit: number }): void {
    const { signal } = this.#controller;
    const page = Promise.resolve(this.#get({ offset, limit, signal }));
    // Whoever takes the page sees its error; a page that nobody takes has none to tell.
    page.catch(() => {});
    this.#flights.push({ offset, limit, page });
  }

  /**
   * Takes the next page out. When another one was foreseen, all are cancelled and this one is
   * asked for.
   *
   * @param asked The next page.
   * @returns That page.
   */
  take(asked: { readonly offset: number; readonly limit: number }): Flight<Page> {
    if (this.#flights[0]?.offset !== asked.offset) {
      this.#cancel();
      this.add(asked);
    }
    return this.#flights.shift()!;
  }

  /** Cancels every page and lets go of the caller's signal. */
  close(): void {
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#cancel();
  }

  #cancel(): void {
    if (this.#flights.length === 0) return;
    this.#flights = [];
    this.#controller.abort();
    this.#controller = new AbortController();
  }
}
