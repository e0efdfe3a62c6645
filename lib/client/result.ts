/** What a call returns: one page if awaited, every row of every page if iterated. */
import type { ShownRequest } from "./transport/request.ts";
import type { Walk, WalkOptions } from "./walks/walk.ts";

/**
 * The result of a call. Nothing is sent before it is awaited or iterated. Awaiting it twice sends
 * one request; each iteration and each walk sends its own.
 */
export interface Result<Page, Item> extends PromiseLike<Page>, AsyncIterable<Item> {
  /** Reacts to a failure of the page, as a promise does. */
  catch<Other = never>(
    onRejected?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Page | Other>;
  /**
   * A walk over every page, with control over how it goes.
   *
   * @param options How it goes. The call's own signal aborts it too.
   * @returns The walk; nothing is requested before it is iterated.
   */
  walk(options?: WalkOptions): Walk<Page, Item>;
  /**
   * The request for the page, for `toCurl` and the like.
   *
   * @returns All that is sent, but for secrets.
   */
  request(): ShownRequest;
}

export interface ResultSource<Page, Item> {
  page(): Promise<Page>;
  walk(options?: WalkOptions): Walk<Page, Item>;
  request(): ShownRequest;
}

/**
 * Makes a result that sends nothing until it is used. An error of `prepare` about the arguments is
 * thrown only then.
 */
export function lazyResult<Page, Item>(
  prepare: () => ResultSource<Page, Item>,
): Result<Page, Item> {
  const source = settled(prepare);
  let answer: Promise<Page> | undefined;
  const page = () => answer ??= (async () => await source().page())();
  return {
    then: (onFulfilled, onRejected) => page().then(onFulfilled, onRejected),
    catch: (onRejected) => page().catch(onRejected),
    [Symbol.asyncIterator]: () => source().walk()[Symbol.asyncIterator](),
    walk: (options) => source().walk(options),
    request: () => source().request(),
  };
}

/** Does work at once; the returned function returns or throws the outcome. */
function settled<T>(work: () => T): () => T {
  try {
    const value = work();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
