/** The client: both operations of the interface over HTTP. */
import { DEFAULT_LIMIT, type HistoryOptions, type SearchOptions } from "./backend.ts";
import { check, checkGiven, checkMs, isSecretHeader } from "../check.ts";
import { decodeFileSetPage, decodeHistory, parseJson, type UnexpectedAnswers } from "./decode.ts";
import {
  historyRequest,
  normalizeBaseUrl,
  type RequestPlan,
  searchBodyText,
  searchRequest,
  type ShownRequest,
} from "./transport/request.ts";
import {
  type ClientOptions,
  type ClientSettings,
  overlay,
  resolveOptions,
  type SendOptions,
} from "./transport/settings.ts";
import { type Call, type Deadline, send } from "./transport/transport.ts";
import type { FileSet, FileSetPage, ReportRun, SearchBody } from "../types.ts";
import { fileSetList, type PagedList, runList } from "./walks/lists.ts";
import { walk } from "./walks/paging.ts";
import type { RequestedPage } from "./walks/progress.ts";
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
   * Walks over every page, with control over the walk.
   *
   * @param options How to walk. The call's own signal aborts the walk, too.
   * @returns The walk; nothing is requested before it is iterated.
   */
  walk(options?: WalkOptions): Walk<Page, Item>;
  /** The request for the page, without secrets, for `toCurl` and the like. */
  request(): ShownRequest;
}

/** The two operations of the interface, over HTTP. */
export interface Client {
  /** File sets. */
  readonly fileSets: {
    /**
     * Searches file sets: `POST {base_url}/api/files/v1/filesets/search`.
     *
     * @param body What to search for and how to sort; none or `{}` matches every file set.
     * @param options Which page, and how to send this request.
     * @returns Awaited, one page; iterated, every file set that matches.
     */
    search(body?: SearchBody, options?: SearchOptions & SendOptions): Result<FileSetPage, FileSet>;
  };
  /** Report schedules. */
  readonly reportSchedules: {
    /**
     * Gets the history of a report schedule:
     * `GET {base_url}/api/content/v1/reportschedules/{scheduleId}/history`.
     *
     * @param scheduleId Id of the report schedule, an integer.
     * @param options Which part, and how to send this request.
     * @returns Awaited, one part; iterated, every run.
     */
    history(
      scheduleId: number,
      options?: HistoryOptions & SendOptions,
    ): Result<readonly ReportRun[], ReportRun>;
  };
  /**
   * Makes another client with some options changed. After a 429 of the service, both pause.
   *
   * @param options The options to change; headers are added to those of this client.
   * @throws {ConfigurationError} When an option can't be used.
   */
  withOptions(options: Partial<ClientOptions>): Client;
}

/**
 * Makes a client.
 *
 * Arguments of a call are checked before anything is sent; a wrong one rejects the result with a
 * `ConfigurationError`. {@linkcode isDocketError} recognizes this and all other errors.
 *
 * @param options Where the service is, the token, and how requests are sent.
 * @throws {ConfigurationError} When an option can't be used.
 *
 * @example
 * ```ts
 * import { createClient } from "@docket/docket";
 *
 * const client = createClient({
 *   baseUrl: "https://service.example",
 *   token: "secret",
 *   // Stands in for the service in this example.
 *   fetch: () => Promise.resolve(Response.json({ fileSets: [], pageContext: { total: 0 } })),
 * });
 * const page = await client.fileSets.search({ fieldSort: [{ field: "name", order: "ASC" }] });
 * console.assert(page.fileSets.length === 0);
 * for await (const fileSet of client.fileSets.search()) console.log(fileSet.name);
 * ```
 */
export function createClient(options: ClientOptions): Client {
  return clientWith(options);
}

function clientWith(options: ClientOptions, pause?: ClientSettings["pause"]): Client {
  checkGiven("baseUrl", options.baseUrl !== undefined);
  const baseUrl = normalizeBaseUrl(options.baseUrl);
  const settings = resolveOptions(options, pause);
  const settingsFor = ({ headers, attempts, timeoutMs, deadlineMs }: SendOptions) => {
    const over = { headers, attempts, timeoutMs, deadlineMs };
    return Object.values(over).some((value) => value !== undefined)
      ? resolveOptions(overlay(options, over), settings.pause)
      : settings;
  };
  return {
    fileSets: {
      search: (body, options) =>
        resultOf(settingsFor, "offset", options, () => {
          const text = searchBodyText(body);
          return {
            list: fileSetList(text),
            plan: (part) => searchRequest(baseUrl, text, part),
            decode: decodeFileSetPage,
          };
        }),
    },
    reportSchedules: {
      history: (scheduleId, options) =>
        resultOf(settingsFor, "skip", options, () => ({
          list: runList(scheduleId),
          plan: ({ limit, offset }) => historyRequest(baseUrl, scheduleId, { limit, skip: offset }),
          decode: decodeHistory,
        })),
    },
    withOptions: (over) =>
      clientWith(overlay(options, over), over.baseUrl ? undefined : settings.pause),
  };
}

interface Operation<Page, Item> {
  readonly list: PagedList<Page, Item>;
  readonly plan: (part: RequestedPage) => RequestPlan;
  readonly decode: (answer: unknown, unexpected?: UnexpectedAnswers) => Page;
}

function resultOf<Page, Item>(
  settingsFor: (options: SendOptions) => ClientSettings,
  skipName: "offset" | "skip",
  options: SearchOptions & HistoryOptions & SendOptions = {},
  prepare: () => Operation<Page, Item>,
): Result<Page, Item> {
  // With wrong arguments, the result rejects; the call itself does not throw.
  const source = settled(() => {
    check(Object(options) === options, "options", "an object");
    const { limit = DEFAULT_LIMIT, [skipName]: offset = 0, signal } = options;
    check(!signal || "aborted" in Object(signal), "signal", "an AbortSignal");
    const settings = settingsFor(options);
    const { list, plan, decode } = prepare();
    const first = plan({ limit, offset });
    const reportsShape = settings.shape === "report";
    const get = (request: RequestPlan, unexpected: UnexpectedAnswers, call: Call) => {
      const counted = reportsShape ? unexpected : undefined;
      return send(request, (text) => decode(parseJson(text), counted), settings, call);
    };
    return {
      page: () => get(first, new Map(), { signal }),
      walk(options: WalkOptions = {}) {
        const { deadlineMs: ms = Infinity } = options;
        checkMs("deadlineMs", ms);
        const signals = [signal, options.signal].filter(Boolean) as AbortSignal[];
        let deadline: Deadline | undefined;
        const unexpected: UnexpectedAnswers = new Map();
        return walk({
          ...list,
          unexpected,
          // The query includes the address: a checkpoint is useless with another service.
          query: `${first.url.replace(/\?.*/, "")} ${list.query}`,
          limit,
          offset,
          getPage(part) {
            // The deadline counts from the first request, not from when the walk is made.
            deadline ??= { at: settings.runtime.now() + ms, ms };
            return get(plan(part), unexpected, { signal: part.signal, deadline });
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

function shown(plan: RequestPlan, { headers, token, tokenHeader }: ClientSettings): ShownRequest {
  const shownHeaders = Object.entries({ ...headers, ...plan.headers })
    .map(([name, value]) => [name, isSecretHeader(name) ? "[redacted]" : value]);
  return {
    ...plan,
    headers: Object.fromEntries(shownHeaders),
    tokenHeader: token === null ? null : tokenHeader,
  };
}
