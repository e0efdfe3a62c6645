/** What a call returns: one page if awaited, every row of every page if iterated. */
import { DEFAULT_LIMIT, type HistoryOptions, type SearchOptions } from "./backend.ts";
import { check, checkMs, isSecretHeader } from "../check.ts";
import { parseJson } from "./decode.ts";
import type { RequestSpec, ShownRequest } from "./transport/request.ts";
import type { ClientSettings, ResponseInfo, SendOptions } from "./transport/settings.ts";
import { type Call, type Deadline, send } from "./transport/transport.ts";
import type { PagedList } from "./walks/lists.ts";
import { walk } from "./walks/paging.ts";
import type { RequestedPage } from "./walks/progress.ts";
import type { UnexpectedAnswers, Walk, WalkOptions, WalkReport } from "./walks/walk.ts";

/**
 * The result of a call. Nothing is sent before it is awaited or iterated. Awaiting it twice sends
 * one request; each iteration and each walk sends its own.
 */
export interface Result<Page, Item> extends PromiseLike<Page>, AsyncIterable<Item> {
  /** Requests the page and handles its failure, like `catch` of a promise. */
  catch<Other = never>(
    onRejected?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Page | Other>;
  /**
   * Requests the page, unless that was done, and returns it with its response.
   *
   * @returns The page, and the status and headers of the response. With the option
   * `shape: "report"`, `unexpectedAnswers` are the fields that were left out, by path.
   */
  withResponse(): Promise<{
    readonly data: Page;
    readonly response: ResponseInfo;
    readonly unexpectedAnswers: WalkReport["unexpectedAnswers"];
  }>;
  /**
   * Walks over every page, with control over the walk.
   *
   * @param options How to walk. The call's signal aborts the walk, too.
   * @returns The walk; nothing is requested before it is iterated.
   */
  walk(options?: WalkOptions): Walk<Page, Item>;
  /** The request for the page, without secrets, such as for {@linkcode toCurl}. */
  request(): ShownRequest;
}

/** Makes the result of a call; it also rejects with the errors of `settingsFor` and `prepare`. */
export function createResult<Page extends object, Item>(
  settingsFor: (options: SendOptions) => ClientSettings,
  skipName: "offset" | "skip",
  options: SearchOptions & HistoryOptions & SendOptions = {},
  prepare: () => {
    readonly list: PagedList<Page, Item>;
    readonly makeRequest: (part: RequestedPage) => RequestSpec;
    readonly decode: (answer: unknown, unexpected?: UnexpectedAnswers) => Page;
  },
): Result<Page, Item> {
  // With invalid arguments, the result rejects; the call itself does not throw.
  const source = settled(() => {
    check(Object(options) === options, "options", "an object");
    const { limit = DEFAULT_LIMIT, [skipName]: offset = 0, signal } = options;
    check(!signal || "aborted" in Object(signal), "signal", "an AbortSignal");
    const settings = settingsFor(options);
    const { list, makeRequest, decode } = prepare();
    const first = makeRequest({ limit, offset });
    const reportsShape = settings.shape === "report";
    const get = (request: RequestSpec, unexpected: UnexpectedAnswers, call: Call) => {
      const counted = reportsShape ? unexpected : undefined;
      return send(request, (text) => decode(parseJson(text), counted), settings, call);
    };
    return {
      async page() {
        const unexpected: UnexpectedAnswers = new Map();
        const reply = await get(first, unexpected, { signal });
        return { ...reply, unexpectedAnswers: [...unexpected.values()] };
      },
      walk(options: WalkOptions = {}) {
        const { deadlineMs: ms = Infinity } = options;
        checkMs("deadlineMs", ms);
        const signals = [signal, options.signal].filter(Boolean) as AbortSignal[];
        let deadline: Deadline | undefined;
        const unexpected: UnexpectedAnswers = new Map();
        return walk({
          ...list,
          unexpected,
          // Includes the address, because a checkpoint is useless with another service.
          query: `${first.url.replace(/\?.*/, "")} ${list.query}`,
          limit,
          offset,
          async getPage(part) {
            // The deadline counts from the first request, not from the creation of the walk.
            deadline ??= { at: settings.runtime.now() + ms, ms };
            const call = { signal: part.signal, deadline };
            return (await get(makeRequest(part), unexpected, call)).data;
          },
        }, { ...options, signal: signals[1] ? AbortSignal.any(signals) : signals[0] });
      },
      request: () => shown(first, settings),
    };
  });
  let answer: ReturnType<Result<Page, Item>["withResponse"]> | undefined;
  const withResponse = () => answer ??= (async () => await source().page())();
  const page = async () => (await withResponse()).data;
  return {
    then: (onFulfilled, onRejected) => page().then(onFulfilled, onRejected),
    catch: (onRejected) => page().catch(onRejected),
    withResponse,
    [Symbol.asyncIterator]: () => source().walk()[Symbol.asyncIterator](),
    walk: (options) => source().walk(options),
    request: () => source().request(),
  };
}

/** Calls `work` at once; the returned function returns its value, or throws its error. */
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

function shown(
  request: RequestSpec,
  { headers, token, tokenHeader }: ClientSettings,
): ShownRequest {
  const shownHeaders = Object.entries({ ...headers, ...request.headers })
    .map(([name, value]) => [name, isSecretHeader(name) ? "[redacted]" : value]);
  return {
    ...request,
    headers: Object.fromEntries(shownHeaders),
    tokenHeader: token === null ? null : tokenHeader,
  };
}
