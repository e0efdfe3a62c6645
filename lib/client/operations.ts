/** The client's two operations over HTTP, once its settings are known. */
import { type Backend, DEFAULT_LIMIT, type HistoryOptions, type SearchOptions } from "./backend.ts";
import { check, checkMs, isSecretHeader } from "../check.ts";
import { decodeFileSetPage, decodeHistory, type Oddities, parseJson } from "./decode.ts";
import { walk } from "./walks/paging.ts";
import type { RequestedPage } from "./walks/progress.ts";
import {
  historyRequest,
  type RequestPlan,
  searchBodyText,
  searchRequest,
} from "./transport/request.ts";
import { type LazyPageResponse, lazyResult, type PageTools, type Result } from "./result.ts";
import type { ClientSettings, SendOptions } from "./transport/settings.ts";
import { shareTimer } from "./transport/shared_timer.ts";
import { type Deadline, send } from "./transport/transport.ts";
import type { FileSet, FileSetPage, ReportRun, SearchBody } from "../types.ts";
import { fileSetList, type PagedList, runList } from "./walks/walks.ts";

/** The two operations of the interface, over HTTP. */
export interface Operations extends Backend {
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
}

/** Makes the operations. The base URL has no slash at its end. */
export function operationsOf(
  baseUrl: string,
  settingsFor: (options: SendOptions) => ClientSettings,
): Operations {
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

interface Operation<Page, Item> {
  readonly list: PagedList<Page, Item>;
  readonly plan: (part: RequestedPage) => RequestPlan;
  readonly decode: (answer: unknown, oddities?: Oddities) => Page;
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
    const settings = settingsFor(options);
    const { list, plan, decode } = prepare();
    const first = plan({ limit, offset });
    const { runtime, token, tokenHeader, shape } = settings;
    const reader = (oddities: Oddities) => (text: string) =>
      decode(parseJson(text), shape === "report" ? oddities : undefined);
    const pageAt = async (
      offset: number,
    ): Promise<LazyPageResponse<Page & PageTools<Page, Item>>> => {
      const oddities: Oddities = new Map();
      const answer = await send(plan({ limit, offset }), reader(oddities), settings, { signal });
      const data = answer.data as Page & PageTools<Page, Item>;
      const { items } = list.read(data);
      const add = (name: string | symbol, value: unknown) =>
        name in data || Object.defineProperty(data, name, { value });
      add(Symbol.iterator, () => items[Symbol.iterator]());
      add("nextPage", async () => {
        const next = items.length > 0 && await pageAt(offset + items.length);
        return next && list.read(next.data).items.length > 0 ? next.data : undefined;
      });
      return { ...answer, data, oddities: [...oddities.values()] };
    };
    return {
      page: () => pageAt(offset),
      walk(options = {}) {
        const { deadlineMs: ms = Infinity, onDrift = settings.hooks.onDrift } = options;
        checkMs("deadlineMs", ms);
        const signals = [signal, options.signal].filter(Boolean) as AbortSignal[];
        const { setTimer, close } = shareTimer(runtime);
        const oddities: Oddities = new Map();
        const read = reader(oddities);
        let deadline: Deadline | undefined;
        return walk({
          ...list,
          // The address is a part of the query: a checkpoint is of no use with another service.
          query: `${first.url.replace(/\?.*/, "")} ${list.query}`,
          limit,
          offset,
          oddities: () => [...oddities.values()],
          close,
          getPage: async (part) => {
            // The time runs from the first request, not from the making of the walk.
            deadline ??= { at: runtime.now() + ms, ms };
            const call = { signal: part.signal, deadline, order: part.offset, setTimer };
            return (await send(plan(part), read, settings, call)).data;
          },
        }, { ...options, onDrift, signal: signals[1] ? AbortSignal.any(signals) : signals[0] });
      },
      request() {
        const headers = Object.entries({ ...settings.headers, ...first.headers }).map((
          [name, value],
        ) => [name, isSecretHeader(name) ? "[redacted]" : value]);
        return {
          ...first,
          headers: Object.fromEntries(headers),
          tokenHeader: token === null ? null : tokenHeader,
        };
      },
    };
  });
}
