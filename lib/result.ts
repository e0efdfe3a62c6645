/**
 * What a call returns: awaited, it is one page; iterated, it is every row of every page.
 *
 * @module
 */

import type { CurlOptions } from "./curl.ts";
import type { Walk, WalkOptions } from "./walk.ts";

/**
 * The result of a call. Nothing is sent before it is awaited or iterated. Awaiting it twice sends
 * one request; each iteration and each walk sends its own.
 */
export interface Result<Page, Item> extends PromiseLike<Page>, AsyncIterable<Item> {
  /** Reacts to a failure of the page, as a promise does. */
  catch<Other = never>(
    onRejected?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Page | Other>;
  /** Reacts to the end of the request for the page, as a promise does. */
  finally(onFinally?: (() => void) | null): Promise<Page>;
  /**
   * A walk over every page, with control over how it goes.
   *
   * @param options How it goes. The call's own signal aborts it too.
   * @returns The walk; nothing is requested before it is iterated.
   */
  walk(options?: WalkOptions): Walk<Page, Item>;
  /**
   * The request for the page as a command for a shell, with `$TOKEN` in place of the token.
   *
   * @param options The shell to write for.
   * @returns One `curl` command.
   */
  toCurl(options?: Pick<CurlOptions, "shell">): string;
}

/** How a result gets what it promises. */
export interface ResultSource<Page, Item> {
  /** Requests the page. */
  page(): Promise<Page>;
  /** Starts a walk. */
  walk(options?: WalkOptions): Walk<Page, Item>;
  /** Writes the request as a command. */
  toCurl(options?: Pick<CurlOptions, "shell">): string;
}

/**
 * Makes a result that asks its source for nothing before it has to.
 *
 * @param prepare Reads the arguments of the call. What is wrong with them is told when somebody
 * asks for the result.
 * @returns The result.
 */
export function lazyResult<Page, Item>(
  prepare: () => ResultSource<Page, Item>,
): Result<Page, Item> {
  const source = settled(prepare);
  let page: Promise<Page> | undefined;
  const promise = () => page ??= (async () => await source().page())();
  return {
    then: (onFulfilled, onRejected) => promise().then(onFulfilled, onRejected),
    catch: (onRejected) => promise().catch(onRejected),
    finally: (onFinally) => promise().finally(onFinally),
    [Symbol.asyncIterator]: () => source().walk()[Symbol.asyncIterator](),
    walk: (options) => source().walk(options),
    toCurl: (options) => source().toCurl(options),
  };
}

/** Does work at once, and returns or throws later what came of it. */
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
