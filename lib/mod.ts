/**
 * A client for a service with two operations: searching file sets, and reading the history of a
 * report schedule. It runs wherever `fetch` does, without any dependency.
 *
 * ```ts
 * import { createClient } from "@docket/docket";
 *
 * const client = createClient({
 *   baseUrl: "https://service.example",
 *   token: "secret",
 *   // Stands in for the service in this example.
 *   fetch: () => Promise.resolve(Response.json({ fileSets: [], pageContext: { total: 0 } })),
 * });
 *
 * // Awaited, a call is one page.
 * const page = await client.fileSets.search({}, { limit: 10 });
 * console.log(page.pageContext.total);
 *
 * // Iterated, it is every row of every page.
 * for await (const fileSet of client.fileSets.search()) console.log(fileSet.name);
 * ```
 *
 * A walk reports what it did, notices rows that change meanwhile, and can be stopped and resumed: see
 * {@linkcode Walk}.
 *
 * Errors are distinguished by `kind`; see {@linkcode isDocketError}. Each lists its attempts, and none
 * contains the token. Both operations only read, so network errors, 408, 429 and every 5xx are
 * retried, as often and as long as {@linkcode ClientOptions} allow, and never past the deadline.
 *
 * @module
 */

// Shared by all parts: the interface's data, errors, and writers of files.

export type {
  DateFilter,
  FieldSort,
  FileSet,
  FileSetPage,
  Filter,
  PageContext,
  Recipient,
  ReportRun,
  SearchBody,
  SearchInput,
} from "./types.ts";
export * from "./errors.ts";
export { csvStream, ndjsonStream } from "./export.ts";

// Client: calls, walks, limits, hooks.

export type { HistoryOptions, SearchOptions } from "./client/backend.ts";
export { type Client, createClient } from "./client/client.ts";
export type { Result } from "./client/result.ts";
export { type ShownRequest, toCurl } from "./client/transport/request.ts";
export type { ClientOptions, ResponseInfo, SendOptions } from "./client/transport/settings.ts";
export type { Checkpoint, Walk, WalkOptions, WalkReport } from "./client/walks/walk.ts";

// Search: the builder and one-line queries.

export { matchFileSets } from "./search/match_file_sets.ts";
export { type Search, search } from "./search/search.ts";
export { type ParsedQuery, parseSearchQuery } from "./search/search_query.ts";

// Runs: reading and comparing them.

export { compareRuns, type RunComparison } from "./runs/compare.ts";
export type { Durations } from "./runs/durations.ts";
export { searchRuns } from "./runs/filter.ts";
export type { RunHealth } from "./runs/health.ts";
export type { RunHistory } from "./runs/load_runs.ts";
export type { EarlierRuns, Newcomer } from "./runs/outsiders.ts";
export { type RecipientSpan, recipientSpans } from "./runs/recipient_spans.ts";
export { defaultStatusDictionary, type StatusDictionary } from "./runs/status.ts";
export { newestFirst } from "./runs/times.ts";
export type { Trend } from "./runs/trends.ts";

// Judgement: plans, verdicts, incidents, replay.

export * from "./judgement/mod.ts";
