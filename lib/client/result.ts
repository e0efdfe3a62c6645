/** What a call returns: one page if awaited, every row of every page if iterated. */
import { DEFAULT_LIMIT, type HistoryOptions, type SearchOptions } from "./backend.ts";
import { check, checkMs, isSecretHeader } from "../check.ts";
import { parseJson } from "./decode.ts";
import type { RequestSpec, ShownRequest } from "./transport/request.ts";
import type { ClientSettings } from "./transport/settings.ts";
import { type Call, type Deadline, send } from "./transport/transport.ts";
import type { PagedList } from "./walks/lists.ts";
import { walk } from "./walks/paging.ts";
import type { RequestedPage } from "./walks/progress.ts";
import type { Walk, WalkOptions } from "./walks/walk.ts";

/**
 * The result of a call. Nothing is sent before it is awaited or iterated. Awaiting it twice sends
 * one request; each iteration and each walk sends its own.
 */
export interface Result<Page, Item> extends PromiseLike<Page>, AsyncIterable<Item> {
  /** Requests the page and handles its failure, like `catch` of a promise. */
  catch<Other = never>(
    onRejected?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Page | Other>;
  /** Requests the page and calls back at the end, like `finally` of a promise. */
  finally(onFinally?: (() => void) | null): Promise<Page>;
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

/** One of the two operations, with the arguments of a call. */
interface Operation<Page, Item> {
  readonly list: PagedList<Page, Item>;
  readonly makeRequest: (part: RequestedPage) => RequestSpec;
  readonly decode: (answer: unknown) => Page;
}

/** Makes the result of a call; it also rejects with the errors of `prepare`. */
export function createResult<Page, Item>(
  settings: ClientSettings,
  skipName: "offset" | "skip",
  options: SearchOptions & HistoryOptions = {},
  prepare: () => Operation<Page, Item>,
): Result<Page, Item> {
  // With invalid arguments, the result rejects; the call itself does not throw.
  const source = settled(() => {
    check(Object(options) === options, "options", "an object");
    const { limit = DEFAULT_LIMIT, [skipName]: offset = 0, signal } = options;
    check(!signal || "aborted" in Object(signal), "signal", "an AbortSignal");
    const { list, makeRequest, decode } = prepare();
    const first = makeRequest({ limit, offset });
    const get = (request: RequestSpec, call: Call) =>
      send(request, (text) => decode(parseJson(text)), settings, call);
    return {
      page: () => get(first, { signal }),
      walk(options: WalkOptions = {}) {
        const { deadlineMs: ms = Infinity } = options;
        checkMs("deadlineMs", ms);
        const signals = [signal, options.signal].filter(Boolean) as AbortSignal[];
        let deadline: Deadline | undefined;
        return walk({
          ...list,
          // Includes the address, because a checkpoint is useless with another service.
          query: `${first.url.replace(/\?.*/, "")} ${list.query}`,
          limit,
          offset,
          getPage(part) {
            // The deadline counts from the first request, not from the creation of the walk.
            deadline ??= { at: settings.runtime.now() + ms, ms };
            return get(makeRequest(part), { signal: part.signal, deadline });
          },
        }, { ...options, signal: signals[1] ? AbortSignal.any(signals) : signals[0] });
      },
      request: () => shown(first, settings),
    };
  });
  let answer: Promise<Page> | undefined;
  const page = () => answer ??= (async () => await source().page())();
  return {
    then: (onFulfilled, onRejected) => page().then(onFulfilled, onRejected),
    catch: (onRejected) => page().catch(onRejected),
    finally: (onFinally) => page().finally(onFinally),
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
