/** Calls of the two operations as values, so that a wrapper is written once for both. */
import type { HistoryOptions, SearchOptions } from "../../lib/client/backend.ts";
import type { FileSetPage, ReportRun, SearchBody } from "../../lib/types.ts";

/** What a backend is asked. */
export type BackendQuestion =
  | (SearchOptions & { readonly operation: "search"; readonly body: SearchBody })
  | (HistoryOptions & { readonly operation: "history"; readonly scheduleId: number });

/** A backend that returns rows, or one that returns their JSON. */
export interface BackendOf<Page, Runs> {
  readonly fileSets: {
    search(body?: SearchBody, options?: SearchOptions): PromiseLike<Page>;
  };
  readonly reportSchedules: {
    history(scheduleId: number, options?: HistoryOptions): PromiseLike<Runs>;
  };
}

/** One call, which can be made on any backend. */
export interface BackendCall<Result, Page, Runs> {
  readonly question: BackendQuestion;
  /** Makes the call; `signal` stands in for the caller's own. */
  on(backend: BackendOf<Page, Runs>, signal?: AbortSignal): PromiseLike<Result>;
}

/** A backend whose calls are all made by `handle`. */
export function backendFrom<Page = FileSetPage, Runs = readonly ReportRun[]>(
  handle: <Result extends Page | Runs>(call: BackendCall<Result, Page, Runs>) => Promise<Result>,
): BackendOf<Page, Runs> {
  return {
    fileSets: {
      search: (body = {}, options = {}) =>
        handle<Page>({
          question: { operation: "search", body, ...options },
          on: ({ fileSets }, signal = options.signal) =>
            fileSets.search(body, { ...options, signal }),
        }),
    },
    reportSchedules: {
      history: (scheduleId, options = {}) =>
        handle<Runs>({
          question: { operation: "history", scheduleId, ...options },
          on: ({ reportSchedules }, signal = options.signal) =>
            reportSchedules.history(scheduleId, { ...options, signal }),
        }),
    },
  };
}
