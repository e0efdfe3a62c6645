/** The client's two operations over HTTP, once its settings are known. */
import { DEFAULT_LIMIT, type HistoryOptions, type SearchOptions } from "./backend.ts";
import { check, checkMs, isSecretHeader } from "../check.ts";
import { decodeFileSetPage, decodeHistory, parseJson, type UnexpectedAnswers } from "./decode.ts";
import { type LazyPageResponse, lazyResult, type PageTools, type Result } from "./result.ts";
import {
  historyRequest,
  type RequestPlan,
  searchBodyText,
  searchRequest,
  type ShownRequest,
} from "./transport/request.ts";
import type { ClientOptions, ClientSettings, SendOptions } from "./transport/settings.ts";
import { type Deadline, send } from "./transport/transport.ts";
import type { FileSet, FileSetPage, ReportRun, SearchBody } from "../types.ts";
import { fileSetList, type PagedList, runList } from "./walks/lists.ts";
import { walk } from "./walks/paging.ts";
import type { RequestedPage } from "./walks/progress.ts";
import type { Walk, WalkOptions } from "./walks/walk.ts";

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
    search(
      body?: SearchBody,
      options?: SearchOptions & SendOptions,
    ): Result<FileSetPage, FileSet>;
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
   * Makes another client with some options changed.
   *
   * @param options The options to change; headers are added to those of this client.
   * @throws {ConfigurationError} When an option can't be used.
   */
  withOptions(options: Partial<ClientOptions>): Client;
}

/** Makes the operations. The base URL has no slash at its end. */
export function operationsOf(
  baseUrl: string,
  settingsFor: (options: SendOptions) => ClientSettings,
): Omit<Client, "withOptions"> {
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
  };
}

/** One of the two operations, for the arguments of a call. */
interface Operation<Page, Item> {
  readonly list: PagedList<Page, Item>;
  readonly plan: (part: RequestedPage) => RequestPlan;
  readonly decode: (answer: unknown, unexpected?: UnexpectedAnswers) => Page;
}

/** One call: its operation, the page that it asks for, and how it is sent. */
interface Call<Page, Item> extends Operation<Page, Item> {
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
  readonly settings: ClientSettings;
}

function resultOf<Page extends object, Item>(
  settingsFor: (options: SendOptions) => ClientSettings,
  skipName: "offset" | "skip",
  options: SearchOptions & HistoryOptions & SendOptions = {},
  prepare: () => Operation<Page, Item>,
): Result<Page, Item> {
  return lazyResult(() => {
    check(Object(options) === options, "options", "an object");
    const { limit = DEFAULT_LIMIT, [skipName]: offset = 0, signal } = options;
    check(!signal || "aborted" in Object(signal), "signal", "an AbortSignal");
    const call = { limit, signal, settings: settingsFor(options), ...prepare() };
    const first = call.plan({ limit, offset });
    return {
      page: () => pageAt(call, offset),
      walk: (options = {}) => walkFrom(call, offset, first.url, options),
      request: () => shown(first, call.settings),
    };
  });
}

/** Turns the text of an answer into a page; collects unexpected answers where that is wanted. */
function readerOf<Page, Item>(
  { decode, settings: { shape } }: Call<Page, Item>,
  unexpected: UnexpectedAnswers,
): (text: string) => Page {
  return (text) => decode(parseJson(text), shape === "report" ? unexpected : undefined);
}

async function pageAt<Page extends object, Item>(
  call: Call<Page, Item>,
  offset: number,
): Promise<LazyPageResponse<Page & PageTools<Page, Item>>> {
  const { plan, list, limit, signal, settings } = call;
  const unexpected: UnexpectedAnswers = new Map();
  const reply = await send(plan({ limit, offset }), readerOf(call, unexpected), settings, {
    signal,
  });
  const data = reply.data as Page & PageTools<Page, Item>;
  const { items } = list.read(data);
  const add = (name: string | symbol, value: unknown) =>
    name in data || Object.defineProperty(data, name, { value });
  add(Symbol.iterator, () => items[Symbol.iterator]());
  add("nextPage", async () => {
    const next = items.length > 0 && await pageAt(call, offset + items.length);
    return next && list.read(next.data).items.length > 0 ? next.data : undefined;
  });
  return { ...reply, data, unexpectedAnswers: [...unexpected.values()] };
}

function walkFrom<Page extends object, Item>(
  call: Call<Page, Item>,
  offset: number,
  url: string,
  options: WalkOptions,
): Walk<Page, Item> {
  const { plan, list, limit, settings } = call;
  const { runtime, hooks } = settings;
  const { deadlineMs: ms = Infinity, onDrift = hooks.onDrift } = options;
  checkMs("deadlineMs", ms);
  const signals = [call.signal, options.signal].filter(Boolean) as AbortSignal[];
  const unexpected: UnexpectedAnswers = new Map();
  const read = readerOf(call, unexpected);
  let deadline: Deadline | undefined;
  return walk({
    ...list,
    // The address is a part of the query: a checkpoint is of no use with another service.
    query: `${url.replace(/\?.*/, "")} ${list.query}`,
    limit,
    offset,
    unexpectedAnswers: () => [...unexpected.values()],
    async getPage(part) {
      // The time runs from the first request, not from the making of the walk.
      deadline ??= { at: runtime.now() + ms, ms };
      const { signal, offset: order } = part;
      return (await send(plan(part), read, settings, { signal, deadline, order })).data;
    },
  }, { ...options, onDrift, signal: signals[1] ? AbortSignal.any(signals) : signals[0] });
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
