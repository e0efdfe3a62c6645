/**
 * The client: both operations of the interface over HTTP.
 *
 * @module
 */

import type { Backend, HistoryOptions, SearchOptions } from "./backend.ts";
import { toCurl } from "./curl.ts";
import { decodeFileSetPage, decodeHistory, parseJson } from "./decode.ts";
import { ConfigurationError } from "./errors.ts";
import { createGate } from "./gate.ts";
import { walk } from "./paging.ts";
import {
  DEFAULT_LIMIT,
  normalizeBaseUrl,
  planHistory,
  planSearch,
  type RequestPlan,
  searchBodyText,
} from "./request.ts";
import { lazyResult, type Result } from "./result.ts";
import { type ClientOptions, readSettings } from "./settings.ts";
import { shareTimer } from "./shared_timer.ts";
import { type Call, send, type TransportSettings } from "./transport.ts";
import type { FileSet, FileSetPage, ReportRun, SearchBody } from "./types.ts";
import type { Walk, WalkOptions } from "./walk.ts";
import { fileSetWords, type ListWords, runWords } from "./walks.ts";

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
  const settings = readSettings(options);
  return {
    fileSets: {
      search(body, { limit, offset = 0, signal } = {}) {
        return resultOf(settings, () => {
          const text = searchBodyText(body);
          return {
            plan: (limit, offset) => planSearch(baseUrl, text, { limit, offset }),
            decode: decodeFileSetPage,
            words: fileSetWords(text),
            baseUrl,
            limit,
            skipped: offset,
            signal,
          };
        });
      },
    },
    reportSchedules: {
      history(scheduleId, { limit, skip = 0, signal } = {}) {
        return resultOf(settings, () => ({
          plan: (limit, skip) => planHistory(baseUrl, scheduleId, { limit, skip }),
          decode: decodeHistory,
          words: runWords(scheduleId),
          baseUrl,
          limit,
          skipped: skip,
          signal,
        }));
      },
    },
  };
}

/** One call of an operation, as far as both operations are alike. */
interface OperationCall<Page, Item> {
  readonly plan: (limit: number, skipped: number) => RequestPlan;
  readonly decode: (answer: unknown) => Page;
  readonly words: ListWords<Page, Item>;
  readonly baseUrl: string;
  readonly limit: number | undefined;
  readonly skipped: number;
  readonly signal: AbortSignal | undefined;
}

function resultOf<Page, Item>(
  settings: TransportSettings,
  prepare: () => OperationCall<Page, Item>,
): Result<Page, Item> {
  try {
    const call = prepare();
    const { plan, limit = DEFAULT_LIMIT, skipped, signal } = call;
    const first = plan(limit, skipped);
    const read = (text: string) => call.decode(parseJson(text));
    return lazyResult({
      page: () => send(first, read, settings, signal ? { signal } : {}),
      walk: (options) => walkOver(settings, call, limit, read, options),
      toCurl: () => toCurl(first, settings.token === null ? null : settings.tokenHeader),
    });
  } catch (error) {
    // A call that returns a promise tells by it that its arguments are wrong, and sends nothing.
    return lazyResult<Page, Item>({
      page: () => Promise.reject(error),
      walk: () => {
        throw error;
      },
      toCurl: () => {
        throw error;
      },
    });
  }
}

function walkOver<Page, Item>(
  settings: TransportSettings,
  { plan, words, baseUrl, skipped, signal }: OperationCall<Page, Item>,
  limit: number,
  read: (text: string) => Page,
  options: WalkOptions = {},
): Walk<Page, Item> {
  const { prefetch = 1, deadlineMs: ms } = options;
  if (ms !== undefined && !(ms > 0)) {
    throw new ConfigurationError("deadlineMs", "deadlineMs must be greater than 0");
  }
  const gate = createGate(settings.runtime, prefetch);
  const timer = shareTimer(settings.runtime);
  const shared = { ...settings, runtime: timer.runtime };
  let deadline: Call["deadline"];
  return walk({
    ...words,
    close: timer.close,
    getPage: ({ limit, offset, signal }) => {
      // The time runs from the first request, not from the making of the walk.
      if (ms !== undefined) deadline ??= { at: settings.runtime.now() + ms, ms };
      return send(plan(limit, offset), read, shared, {
        signal,
        gate: gate(offset),
        ...(deadline ? { deadline } : {}),
      });
    },
    query: `${baseUrl} ${words.query}`,
    limit,
    offset: skipped,
  }, withSignal(options, signal));
}

/** Both signals abort the walk: that of the call and that of the walk. */
function withSignal(options: WalkOptions, signal: AbortSignal | undefined): WalkOptions {
  if (signal === undefined) return options;
  const both = options.signal ? AbortSignal.any([signal, options.signal]) : signal;
  return { ...options, signal: both };
}
