/** The questions that a pack can answer, and the lists of rows that answer them. */
import { addDays, startOfDay } from "../days.ts";
import { check } from "../check.ts";
import { timeText } from "../format.ts";
import { searchBodyText } from "../client/transport/request.ts";
import { joinSearches } from "../search/search_url.ts";
import { formatSearchQuery } from "../search/search_query_format.ts";
import type { DateFilter, Filter, SearchBody } from "../types.ts";

/** The question that a pack answers. */
export type EvidenceQuestion =
  /** Which file sets match a search? */
  | { readonly kind: "search"; readonly body: SearchBody }
  /** Which runs does a schedule have, perhaps since a moment? */
  | { readonly kind: "history"; readonly scheduleId: number; readonly since?: string }
  /** Who was on the lists of schedules on a day in a zone (default: UTC)? */
  | {
    readonly kind: "recipients";
    readonly scheduleIds: readonly number[];
    readonly on: string;
    readonly zone?: string;
  };

/** A question in a manifest, with its dates resolved. */
export interface ResolvedQuestion {
  /** Kind of the question. */
  readonly kind: EvidenceQuestion["kind"];
  /** The operation of the interface. */
  readonly operation: "search file sets" | "get report history";
  /** The question in words. */
  readonly words: string;
  /** The search. */
  readonly body?: SearchBody;
  /** The search as a one-line query. */
  readonly query?: string;
  /** The schedules. */
  readonly scheduleIds?: readonly number[];
  /** The runs in the pack started at or after this time. */
  readonly since?: string;
  /** The runs in the pack started before this time. */
  readonly before?: string;
  /** The day of the lists of recipients. */
  readonly on?: string;
  /** IANA name of the zone of that day. */
  readonly zone?: string;
}

/** A list of rows to read: that of a search, or the history of a schedule. */
export type RowList = { readonly body: SearchBody } | { readonly scheduleId: number };

/** Resolves a question for the manifest; throws a ConfigurationError if it is not valid. */
export function resolveQuestion(
  question: EvidenceQuestion,
  now: number = Date.now(),
): ResolvedQuestion {
  if (question.kind === "search") {
    const body: SearchBody = JSON.parse(searchBodyText(question.body));
    const { fieldSort: _, ...conditions } = body;
    const query = formatSearchQuery(body, "UTC");
    const words = conditionsOf(body).length === 0
      ? "all file sets"
      : `file sets that match ${formatSearchQuery(conditions, "UTC")}`;
    return { kind: "search", operation: "search file sets", body, query, words };
  }
  const operation = "get report history";
  if (question.kind === "history") {
    const { kind, scheduleId, since } = question;
    check(since === undefined || !Number.isNaN(Date.parse(since)), "since", "a date-time");
    const words = `runs of schedule ${scheduleId}${since ? ` since ${since}` : ""}`;
    return { kind, operation, words, scheduleIds: [scheduleId], ...(since && { since }) };
  }
  const { kind, scheduleIds, on, zone = "UTC" } = question;
  const begins = startOfDay(on, zone) ?? Infinity;
  check(begins <= now, "on", "a day that is not in the future, such as 2026-09-30");
  check(scheduleIds.length > 0 && scheduleIds.length <= 1000, "scheduleIds", "1 to 1000 ids");
  const before = timeText(startOfDay(addDays(on, 1), zone)!);
  const words = `recipients of ${
    scheduleIds.length === 1 ? `schedule ${scheduleIds[0]}` : `${scheduleIds.length} schedules`
  } on ${on}, ${zone}`;
  return { kind, operation, words, scheduleIds: [...new Set(scheduleIds)], before, on, zone };
}

export function conditionsOf({ filters = [], dateFilters = [] }: SearchBody): SearchBody[] {
  return [
    ...filters.map((filter) => ({ filters: [filter] })),
    ...dateFilters.map((filter) => ({ dateFilters: [filter] })),
  ];
}

/**
 * The lists that answer a question. A search with conditions has a list of all rows, one of the
 * matches, and one for each condition: the rows that meet all conditions before it, but not that one.
 * So each row is in exactly one list after the first, unless a condition is neither true nor false.
 */
export function listsOf({ body, scheduleIds = [] }: ResolvedQuestion): RowList[] {
  if (!body) return scheduleIds.map((scheduleId) => ({ scheduleId }));
  const sort = body.fieldSort ? { fieldSort: body.fieldSort } : {};
  const conditions = conditionsOf(body);
  if (conditions.length === 0) return [{ body: sort }];
  const others = conditions.map((condition, at) =>
    joinSearches(sort, ...conditions.slice(0, at), negated(condition))
  );
  return [sort, body, ...others].map((body) => ({ body }));
}

/** A list in words; of a search, `at` is its index among the lists. */
export function listWords(list: RowList, at: number): string {
  if ("scheduleId" in list) return `runs of schedule ${list.scheduleId}`;
  const { fieldSort: _, ...body } = list.body;
  return at === 0 ? "all file sets" : formatSearchQuery(body, "UTC");
}

function negated({ filters = [], dateFilters = [] }: SearchBody): SearchBody {
  const negate = <Part extends Filter | DateFilter>({ not, ...rest }: Part): Part =>
    (not ? rest : { ...rest, not: true }) as Part;
  return { filters: filters.map(negate), dateFilters: dateFilters.map(negate) };
}
