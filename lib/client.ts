/**
 * The client: both operations of the interface over HTTP.
 *
 * @module
 */

import { type Backend, DEFAULT_LIMIT, type HistoryOptions, type SearchOptions } from "./backend.ts";
import type { Asked } from "./progress.ts";
import { check, checkMs } from "./check.ts";
import { toCurl } from "./curl.ts";
import { decodeFileSetPage, decodeHistory, type Oddities, parseJson } from "./decode.ts";
import { createGate } from "./gate.ts";
import { walk } from "./paging.ts";
import {
  historyRequest,
  normalizeBaseUrl,
  type RequestPlan,
  searchBodyText,
  searchRequest,
} from "./request.ts";
import { lazyResult, type Result } from "./result.ts";
import { type ClientOptions, type ClientSettings, resolveOptions } from "./settings.ts";
import { shareTimer } from "./shared_timer.ts";
import { type Deadline, send } from "./transport.ts";
import type { FileSet, FileSetPage, ReportRun, SearchBody } from "./types.ts";
import { fileSetList, type PagedList, runList } from "./walks.ts";

/** The two operations of the interface, over HTTP. */
export interface Client extends Backend {
  /** File sets. */
  readonly fileSets: {
    /**
     * Searches file sets: `POST {base_url}/api/files/v1/filesets/search`.
     *
     * @param body What to search for and how to sort; none or `{}` matches every file set.
     * @param options Which page.
     * @returns Awaited, one page; iterated, every file set that matches.
     */
    search(body?: SearchBody, options?: SearchOptions): Result<FileSetPage, FileSet>;
  };
  /** Report schedules. */
  readonly reportSchedules: {
    /**
     * Gets the history of a report schedule:
     * `GET {base_url}/api/content/v1/reportschedules/{scheduleId}/history`.
     *
     * @param scheduleId Id of the report schedule, an integer.
     * @param options Which part.
     * @returns Awaited, one part; iterated, every run.
     */
    history(
      scheduleId: number,
      options?: HistoryOptions,
    ): Result<readonly ReportRun[], ReportRun>;
  };
}

/**
 * Makes a client.
 *
 * Arguments of a call are checked before anything is sent; what is wrong with them rejects the
 * result with a `ConfigurationError`. All other errors are those of {@linkcode isDocketError}.
 *
 * @param options Where the service is, the token, and how patient to be.
 * @returns The client.
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
  const baseUrl = normalizeBaseUrl(options.baseUrl);
  const settings = resolveOptions(options);
  return {
    fileSets: {
      search: (body, options) =>
        resultOf(settings, "offset", options, () => {
          const text = searchBodyText(body);
          return {
            words: fileSetList(text),
            plan: (part) => searchRequest(baseUrl, text, part),
            decode: decodeFileSetPage,
          };
        }),
    },
    reportSchedules: {
      history: (scheduleId, options) =>
        resultOf(settings, "skip", options, () => ({
          words: runList(scheduleId),
          plan: ({ limit, offset }) => historyRequest(baseUrl, scheduleId, { limit, skip: offset }),
          decode: decodeHistory,
        })),
    },
  };
}

/** An operation with its arguments. */
interface Operation<Page, Item> {
  readonly words: PagedList<Page, Item>;
  readonly plan: (part: Asked) => RequestPlan;
  readonly decode: (answer: unknown, oddities?: Oddities) => Page;
}

function resultOf<Page, Item>(
  settings: ClientSettings,
  skipName: "offset" | "skip",
  options: SearchOptions & HistoryOptions = {},
  prepare: () => Operation<Page, Item>,
): Result<Page, Item> {
  return lazyResult(() => {
    check(Object(options) === options, "options", "an object");
    const { limit = DEFAULT_LIMIT, [skipName]: offset = 0, signal } = options;
    check(!signal || "aborted" in Object(signal), "signal", "an AbortSignal");
    const { words, plan, decode } = prepare();
    const first = plan({ limit, offset });
    const { runtime, token, tokenHeader, shape } = settings;
    const reader = (oddities: Oddities) => (text: string) =>
      decode(parseJson(text), shape === "report" ? oddities : undefined);
    return {
      page: () => send(first, reader(new Map()), settings, { signal }),
      walk(options = {}) {
        const { prefetch = 1, deadlineMs: ms = Infinity } = options;
        checkMs("deadlineMs", ms);
        const signals = [signal, options.signal].filter(Boolean) as AbortSignal[];
        const gate = createGate(runtime, prefetch);
        const { setTimer, close } = shareTimer(runtime);
        const oddities: Oddities = new Map();
        const read = reader(oddities);
        let deadline: Deadline | undefined;
        return walk({
          ...words,
          // The address is a part of the query: a checkpoint is of no use with another service.
          query: `${first.url.replace(/\?.*/, "")} ${words.query}`,
          limit,
          offset,
          oddities: () => [...oddities.values()],
          close,
          getPage: (part) => {
            // The time runs from the first request, not from the making of the walk.
            deadline ??= { at: runtime.now() + ms, ms };
            const call = { signal: part.signal, deadline, gate: gate(part.offset), setTimer };
            return send(plan(part), read, settings, call);
          },
        }, { ...options, signal: signals[1] ? AbortSignal.any(signals) : signals[0] });
      },
      toCurl: ({ shell } = {}) =>
        toCurl(first, token === null ? null : tokenHeader, {
          headers: settings.headers,
          ...(shell && { shell }),
        }),
    };
  });
}
