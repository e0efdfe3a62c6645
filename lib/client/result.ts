/** What a call returns: one page if awaited, every row of every page if iterated. */
import type { UnexpectedAnswer } from "./decode.ts";
import type { ResponseInfo } from "./transport/hooks.ts";
import type { ShownRequest } from "./transport/request.ts";
import type { Walk, WalkOptions } from "./walks/walk.ts";

/** What an awaited page can do besides holding its rows. */
export interface PageTools<Page, Item> extends Iterable<Item> {
  /**
   * Gets the next page, with the same options.
   *
   * @returns The page, or undefined when there are no more rows.
   */
  nextPage(): Promise<Page & PageTools<Page, Item> | undefined>;
}

/**
 * The result of a call. Nothing is sent before it is awaited or iterated. Awaiting it twice sends
 * one request; each iteration and each walk sends its own.
 */
export interface Result<Page, Item>
  extends PromiseLike<Page & PageTools<Page, Item>>, AsyncIterable<Item> {
  /** Reacts to a failure of the page, as a promise does. */
  catch<Other = never>(
    onRejected?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Page & PageTools<Page, Item> | Other>;
  /** Reacts to the end of the request for the page, as a promise does. */
  finally(onFinally?: (() => void) | null): Promise<Page & PageTools<Page, Item>>;
  /**
   * The page with the response that it came in.
   *
   * @returns Both; no second request is sent for it. With the option `shape: "report"`,
   * `unexpectedAnswers` are the fields that were left out, by path.
   */
  withResponse(): Promise<{
    readonly data: Page & PageTools<Page, Item>;
    readonly response: ResponseInfo;
    readonly unexpectedAnswers: readonly UnexpectedAnswer[];
  }>;
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

/** A page with a description of the response, which is only made when somebody asks for it. */
export interface LazyPageResponse<Page> {
  readonly data: Page;
  readonly response: () => ResponseInfo;
  readonly unexpectedAnswers: readonly UnexpectedAnswer[];
}

export interface ResultSource<Page, Item> {
  page(): Promise<LazyPageResponse<Page & PageTools<Page, Item>>>;
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
  let answer: ReturnType<ResultSource<Page, Item>["page"]> | undefined;
  const promise = () => answer ??= (async () => await source().page())();
  const page = async () => (await promise()).data;
  return {
    then: (onFulfilled, onRejected) => page().then(onFulfilled, onRejected),
    catch: (onRejected) => page().catch(onRejected),
    finally: (onFinally) => page().finally(onFinally),
    async withResponse() {
      const { response, ...rest } = await promise();
      return { ...rest, response: response() };
    },
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
