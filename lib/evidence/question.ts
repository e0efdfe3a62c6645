/** What a pack answers: a search, a history, or who was on the lists of schedules on a day. */
import { addDays, startOfDay } from "../days.ts";
import { check } from "../check.ts";
import { timeText } from "../format.ts";
import { searchBodyText } from "../client/transport/request.ts";
import { joinSearches } from "../search/search_url.ts";
import { formatSearchQuery } from "../search/search_query_format.ts";
import type { DateFilter, Filter, SearchBody } from "../types.ts";

/** What to make a pack of. */
export type EvidenceQuestion =
  /** File sets that match a search. */
  | { readonly kind: "search"; readonly body: SearchBody }
  /** The runs of a schedule, of all time or since a moment. */
  | { readonly kind: "history"; readonly scheduleId: number; readonly since?: string }
  /** Who was on the lists of schedules on a day in a zone (default: UTC). */
  | {
    readonly kind: "recipients";
    readonly scheduleIds: readonly number[];
    readonly on: string;
    readonly zone?: string;
  };

/** `asked` in manifest.json. */
export interface Asked {
  /** What is asked: file sets, runs, or who received them. */
  readonly kind: EvidenceQuestion["kind"];
  /** The operation of the interface. */
  readonly operation: "search file sets" | "get report history";
  /** The question in words. */
  readonly words: string;
  /** The search, its dates resolved. */
  readonly body?: SearchBody;
  /** The search as a one-line query. */
  readonly query?: string;
  /** The schedules. */
  readonly scheduleIds?: readonly number[];
  /** The first moment of the runs in the pack. */
  readonly since?: string;
  /** The moment before which the runs in the pack started. */
  readonly before?: string;
  /** The day of the lists, and the zone of the day. */
  readonly on?: string;
  /** IANA name of that zone. */
  readonly zone?: string;
}

/** A list of rows to read: a search or the history of a schedule. */
export type AskedList = { readonly body: SearchBody } | { readonly scheduleId: number };

export function askedOf(question: EvidenceQuestion, now: number = Date.now()): Asked {
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
 * The lists that answer a question. A search with conditions has these: all rows; the matches; and for
 * each condition, the rows that meet all conditions before it but not that one. No row is in two of
 * the lists after the first. Together they have all rows, unless a condition is neither true nor false.
 */
export function listsOf({ body, scheduleIds = [] }: Asked): AskedList[] {
  if (!body) return scheduleIds.map((scheduleId) => ({ scheduleId }));
  const sort = body.fieldSort ? { fieldSort: body.fieldSort } : {};
  const conditions = conditionsOf(body);
  if (conditions.length === 0) return [{ body: sort }];
  const others = conditions.map((condition, at) =>
    joinSearches(sort, ...conditions.slice(0, at), turned(condition))
  );
  return [sort, body, ...others].map((body) => ({ body }));
}

/** A list in words, as part of the answer to a question. */
export function listWords(list: AskedList, at: number): string {
  if ("scheduleId" in list) return `runs of schedule ${list.scheduleId}`;
  const { fieldSort: _, ...body } = list.body;
  return at === 0 ? "all file sets" : formatSearchQuery(body, "UTC");
}

function turned({ filters = [], dateFilters = [] }: SearchBody): SearchBody {
  const turn = <Part extends Filter | DateFilter>({ not, ...rest }: Part): Part =>
    (not ? rest : { ...rest, not: true }) as Part;
  return { filters: filters.map(turn), dateFilters: dateFilters.map(turn) };
}
