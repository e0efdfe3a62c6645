/** The client: both operations of the interface over HTTP. */
import type { HistoryOptions, SearchOptions } from "./backend.ts";
import { checkPresent } from "../check.ts";
import { decodeFileSetPage, decodeHistory } from "./decode.ts";
import { createResult, type Result } from "./result.ts";
import {
  historyRequest,
  normalizeBaseUrl,
  searchBodyText,
  searchRequest,
} from "./transport/request.ts";
import {
  type ClientOptions,
  type ClientSettings,
  resolveOptions,
  type SendOptions,
  withChanges,
} from "./transport/settings.ts";
import type { FileSet, FileSetPage, ReportRun, SearchInput } from "../types.ts";
import { fileSetList, runList } from "./walks/lists.ts";

/** The two operations of the interface, over HTTP. */
export interface Client {
  /** File sets. */
  readonly fileSets: {
    /**
     * Searches file sets: `POST {base_url}/api/files/v1/filesets/search`.
     *
     * @param body The conditions and sort keys; none or `{}` matches every file set.
     * @param options Which page, and how to send this request.
     * @returns Awaited, one page; iterated, every file set that matches.
     */
    search(body?: SearchInput, options?: SearchOptions & SendOptions): Result<FileSetPage, FileSet>;
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
   * Makes another client with some options changed. If the service answers 429, both pause.
   *
   * @param options The options to change; headers are added to those of this client.
   * @throws {ConfigurationError} If an option is not valid.
   */
  withOptions(options: Partial<ClientOptions>): Client;
}

/**
 * Makes a client.
 *
 * Arguments of a call are checked before anything is sent; an invalid one rejects the result with a
 * `ConfigurationError`. {@linkcode isDocketError} recognizes this and all other errors.
 *
 * @param options The URL of the service, the token, and how requests are sent.
 * @throws {ConfigurationError} If an option is not valid.
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
  checkPresent("baseUrl", options.baseUrl !== undefined);
  const baseUrl = normalizeBaseUrl(options.baseUrl);
  const settings = resolveOptions(options, pause);
  const settingsFor = ({ headers, attempts, timeoutMs, deadlineMs }: SendOptions) => {
    const changed = { headers, attempts, timeoutMs, deadlineMs };
    return Object.values(changed).some((value) => value !== undefined)
      ? resolveOptions(withChanges(options, changed), settings.pause)
      : settings;
  };
  return {
    fileSets: {
      search: (body, options) =>
        createResult(settingsFor, "offset", options, () => {
          const text = searchBodyText(body);
          return {
            list: fileSetList(text),
            makeRequest: (part) => searchRequest(baseUrl, text, part),
            decode: decodeFileSetPage,
          };
        }),
    },
    reportSchedules: {
      history: (scheduleId, options) =>
        createResult(settingsFor, "skip", options, () => ({
          list: runList(scheduleId),
          makeRequest: ({ limit, offset }) =>
            historyRequest(baseUrl, scheduleId, { limit, skip: offset }),
          decode: decodeHistory,
        })),
    },
    withOptions: (changed) =>
      clientWith(withChanges(options, changed), changed.baseUrl ? undefined : settings.pause),
  };
}
