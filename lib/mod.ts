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
 * A walk reports what it did, notices rows that change meanwhile, and can be stopped and resumed:
 *
 * ```ts
 * import { createClient } from "@docket/docket";
 * import { createTestService, makeFileSets } from "@docket/docket/testing";
 *
 * const client = createClient({
 *   baseUrl: "https://service.example",
 *   token: "secret",
 *   fetch: createTestService({ fileSets: makeFileSets(250) }).fetch,
 * });
 * const search = client.fileSets.search({ fieldSort: [{ field: "name" }] });
 *
 * const walk = search.walk({ prefetch: 4, verify: true });
 * for await (const fileSet of walk) if (fileSet.name === "File set 120") break;
 *
 * const rest = search.walk({ resume: walk.checkpoint() });
 * for await (const fileSet of rest) console.log(fileSet.id);
 * console.assert(rest.report.complete);
 * ```
 *
 * There are a few kinds of error, distinguished by `kind`; see {@linkcode isDocketError}. Each lists
 * its attempts, and none holds the token. Both operations only read, so network errors, 408, 429 and
 * every 5xx are retried, as often and as long as {@linkcode ClientOptions} say, and never past the
 * deadline.
 *
 * @module
 */

export * from "./client/backend.ts";
export * from "./types.ts";
export { type Client, createClient } from "./client/client.ts";
export type { Operations } from "./client/operations.ts";
export type { ClientOptions, Retry, SendOptions, Token } from "./client/transport/settings.ts";
export type { PageResponse, PageTools, Result } from "./client/result.ts";
export * from "./client/transport/hooks.ts";
export {
  createLimiter,
  type Leave,
  type LimitedAnswer,
  type Limiter,
  type LimiterOptions,
} from "./client/transport/limiter.ts";
export { logHooks } from "./client/transport/hooks.ts";
export * from "./docket_error.ts";
export * from "./errors.ts";
export type { Problem, ProblemIssue } from "./errors.ts";
export * from "./search/search_url.ts";
export * from "./search/search_url_read.ts";
export * from "./search/date_ranges.ts";
export { type ParsedQuery, parseSearchQuery, type QueryIssue } from "./search/search_query.ts";
export type { QueryOptions } from "./search/search_query_values.ts";
export { formatSearchQuery } from "./search/search_query_format.ts";
export type { Oddity } from "./client/decode.ts";
export { createIdSet } from "./client/walks/id_set.ts";
export type { AddId } from "./client/walks/memory.ts";
export { walk } from "./client/walks/paging.ts";
export { type BackendWalkOptions, walkFileSets, walkHistory } from "./client/walks/walks.ts";
export * from "./client/walks/walk.ts";
export {
  DEFAULT_TOKEN_HEADER,
  historyRequest,
  type Operation,
  type RequestPlan,
  searchBodyText,
  searchRequest,
  type ShownRequest,
} from "./client/transport/request.ts";
export * from "./fields.ts";
export { toCurl } from "./client/transport/curl.ts";
export * from "./search/facets.ts";
export { type Runtime, systemRuntime } from "./client/transport/runtime.ts";
export type { Finding, FindingKind } from "./runs/finding.ts";
export { checkRuns } from "./runs/findings.ts";
export * from "./runs/compare.ts";
export * from "./days.ts";
export * from "./runs/durations.ts";
export * from "./runs/filter.ts";
export {
  RUN_SEARCH_FIELDS,
  runOperators,
  runSearchIssues,
  type RunSearchKind,
} from "./runs/run_search.ts";
export { judgeHealth, type RunHealth, type Streak } from "./runs/health.ts";
export {
  type JudgedPlan,
  type JudgeOptions,
  judgeSchedule,
  type Verdict,
} from "./judgement/judge_schedule.ts";
export { type RunHistory } from "./runs/load_runs.ts";
export type { Reason, ReasonCode } from "./judgement/reason.ts";
export type { Pause, Slot } from "./judgement/slots.ts";
export { type Replay, replay } from "./judgement/replay.ts";
export {
  createWatch,
  type IncidentEvent,
  type ReplayedIncident,
  type Watch,
  type WatchOptions,
} from "./judgement/watch.ts";
export * from "./runs/mask.ts";
export * from "./runs/numbers.ts";
export * from "./runs/period.ts";
export { describePlan } from "./judgement/plans/describe.ts";
export { inferPlan } from "./judgement/plans/infer.ts";
export { parsePlan, type PlanText } from "./judgement/plans/parse.ts";
export { type Plan, planSlots } from "./judgement/plans/plan.ts";
export { type Newcomer, outsideNewcomers } from "./runs/newcomers.ts";
export {
  domainOf,
  type RecipientChange,
  type RecipientDomain,
  recipientDomains,
  recipientHistories,
  type RecipientHistory,
  recipientKey,
  recipientTimeline,
} from "./runs/recipients.ts";
export * from "./runs/status.ts";
export * from "./runs/times.ts";
export * from "./runs/trends.ts";
export { type DateRange, Search, search } from "./search/search.ts";
export {
  cellText,
  csvLine,
  type CsvOptions,
  csvStream,
  ndjsonStream,
  type RecipientRow,
  recipientRows,
  type Rows,
} from "./export.ts";
export {
  type OperationSurvey,
  surveyAnswer,
  type SurveyedField,
  type SurveyOptions,
  surveyService,
} from "./client/survey.ts";
