/** Calls of the two operations, so that whatever wraps a backend is written once for both. */
import type { Backend, HistoryOptions, SearchOptions } from "../../lib/backend.ts";
import type { FileSetPage, ReportRun, SearchBody } from "../../lib/types.ts";

/** What a call asks for. */
export type Question =
  | (SearchOptions & { readonly operation: "search"; readonly body: SearchBody })
  | (HistoryOptions & { readonly operation: "history"; readonly scheduleId: number });

/** What a call returns. */
export type Rows = FileSetPage | readonly ReportRun[];

/** One call, which can be made on any backend. */
export interface BackendCall<Result extends Rows> {
  readonly question: Question;
  /** Makes the call; `signal` stands in for the caller's own. */
  on(backend: Backend, signal?: AbortSignal): PromiseLike<Result>;
}

/** A backend whose calls are all made by `handle`. */
export function backendFrom(
  handle: <Result extends Rows>(call: BackendCall<Result>) => Promise<Result>,
): Backend {
  return {
    fileSets: {
      search: (body = {}, options = {}) =>
        handle({
          question: { operation: "search", body, ...options },
          on: ({ fileSets }, signal = options.signal) =>
            fileSets.search(body, { ...options, signal }),
        }),
    },
    reportSchedules: {
      history: (scheduleId, options = {}) =>
        handle({
          question: { operation: "history", scheduleId, ...options },
          on: ({ reportSchedules }, signal = options.signal) =>
            reportSchedules.history(scheduleId, { ...options, signal }),
        }),
    },
  };
}
