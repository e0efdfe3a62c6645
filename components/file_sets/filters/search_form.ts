/** Reads the forms of a search: the query, the editor of a condition, and the table's options. */
import { DEFAULT_LIMIT } from "../../../lib/client/backend.ts";
import { timeText } from "../../../lib/format.ts";
import { dateRange, isDateRange } from "../../../lib/search/date_ranges.ts";
import { addDays, startOfDay } from "../../../lib/days.ts";
import { formatSearchQuery } from "../../../lib/search/search_query_format.ts";
import type { ParameterIssue } from "../../../lib/search/search_url_read.ts";
import type { DateFilter, FieldSort } from "../../../lib/types.ts";
import { type DateContext, type ParsedView, parseFileSetsView } from "../file_sets_link.ts";
import { editing, type FileSetsView, withBody } from "../file_sets_view.ts";
import { DEFAULT_COLUMNS, FIELDS, isNumber } from "../search/search_text.ts";
import { added, type Condition, findCondition, replaced } from "./conditions.ts";
import {
  type Draft,
  draftOf,
  draftOfForm,
  DURING,
  INPUTS,
  newDraft,
  splitValues,
} from "./draft.ts";

export function isFromForm(params: URLSearchParams): boolean {
  return Object.values(INPUTS).some((name) => params.has(name));
}

/** The view that a submitted form asks for: its query with what was added or replaced. */
export function viewOfForm(params: URLSearchParams, dates: DateContext): ParsedView {
  const { view: given, query, issues } = parseFileSetsView(params, dates);
  const view = withTableOptions(params, editing(given, {}));
  if (!params.has(INPUTS.field)) {
    const sorted = withSortKey(view, params);
    return { view: sorted, query: sorted === view ? query : queryOf(sorted), issues };
  }
  const draft = draftOfForm(params);
  const draftIssues = issuesOf(draft);
  if (issues.length + draftIssues.length > 0) {
    const editor = draft.replaces ? { edit: draft.replaces } : { add: draft.field };
    return { view: editing(view, editor), query, issues: [...issues, ...draftIssues] };
  }
  const applied = applyDraft(view, draft, dates);
  const next = params.get(INPUTS.next) === "add" ? editing(applied, { add: "" }) : applied;
  return { view: next, query: queryOf(next), issues };

  function queryOf({ body }: FileSetsView): string {
    return formatSearchQuery(body, dates.zone);
  }
}

/** The view with the condition of a draft, in place of the one that it replaces. */
function applyDraft(view: FileSetsView, draft: Draft, dates: DateContext): FileSetsView {
  const present = draft.replaces ? findCondition(view, draft.replaces) : undefined;
  const before = present && draftOf(present.condition, draft.replaces, dates.zone);
  const condition = conditionOf(draft, before ?? newDraft(draft.field), dates);
  return present ? replaced(view, present.condition, [condition]) : added(view, condition);
}

function conditionOf(draft: Draft, before: Draft, { zone, now }: DateContext): Condition {
  const { field, range, from, through } = draft;
  const not = draft.operator.startsWith("!") ? { not: true } : {};
  const operator = draft.operator.replace("!", "");
  if (operator !== DURING) {
    const value = operator === "IS_NULL" ? [] : valuesOf(draft);
    return { field, operator, value, ...not };
  }
  // Days that were typed are more exact, but not those that were there before.
  const areTyped = from !== before.from || through !== before.through;
  if (isDateRange(range) && (!areTyped || (!from && !through))) {
    return { field, ...dateRange(range, now, zone), range, ...not };
  }
  const times: DateFilter = {
    field,
    ...(from ? { start: startIn(from, 0, zone) } : {}),
    ...(through ? { end: startIn(through, 1, zone) } : {}),
  };
  return { ...times, ...not };
}

function valuesOf({ chosen, value }: Draft): string[] {
  return [...new Set([...chosen, ...splitValues(value)])];
}

/** Half a condition is an issue: leaving it out would find too much. */
function issuesOf(draft: Draft): ParameterIssue[] {
  const { operator, range, from, through } = draft;
  const isDuring = operator.endsWith(DURING);
  const isInvalidDay = (day: string) => day !== "" && startOfDay(day, "UTC") === undefined;
  const detailOfDay = (day: string) =>
    /^\d{4}-\d\d-\d\d$/.test(day)
      ? `${day}: there is no such day`
      : "must be a date, such as 2026-01-31";
  // Only the service knows whether another operator needs values.
  const needsValue = /^!?(EQUALS|LIKE|(GREATER|LESS)_THAN.*)$/.test(operator);
  const issues: readonly (readonly [applies: boolean, parameter: string, detail: string])[] = [
    [needsValue && valuesOf(draft).length === 0, "Value", "is required"],
    [
      isNumber(draft.field) && valuesOf(draft).some((value) => /^0\d/.test(value)),
      "Value",
      "must be a number without commas or leading zeros, such as 27000",
    ],
    [isDuring && !isDateRange(range) && !from && !through, "Range", "is required"],
    [isDuring && isInvalidDay(from), "From", detailOfDay(from)],
    [isDuring && isInvalidDay(through), "To", detailOfDay(through)],
    [isDuring && from !== "" && through !== "" && through < from, "To", "must not be before From"],
  ];
  return issues.filter(([applies]) => applies)
    .map(([, parameter, detail]) => ({ parameter, detail }));
}

/** The view with the options of its table, where the form has them. */
function withTableOptions(params: URLSearchParams, view: FileSetsView): FileSetsView {
  const { limit, columns, ...rest } = view;
  const selected = params.getAll(INPUTS.column);
  const shown = selected.length > 0 ? FIELDS.filter((name) => selected.includes(name)) : columns;
  return {
    ...rest,
    // The link leaves out the usual columns and the usual page size.
    ...(shown && String(shown) !== String(DEFAULT_COLUMNS) ? { columns: shown } : {}),
    ...(limit === undefined || limit === DEFAULT_LIMIT ? {} : { limit }),
  };
}

/** The view with another sort key, instead of a present one for the same field. */
function withSortKey(view: FileSetsView, params: URLSearchParams): FileSetsView {
  const field = params.get(INPUTS.sortField);
  if (!field) return view;
  const key: FieldSort = { field, order: params.get(INPUTS.sortOrder) || "ASC" };
  const others = (view.body.fieldSort ?? []).filter((present) => present.field !== field);
  return withBody(view, { ...view.body, fieldSort: [...others, key] });
}

/** The start of a day in a zone, some days later. */
function startIn(day: string, daysLater: number, zone: string): string {
  return timeText(startOfDay(addDays(day, daysLater), zone)!);
}
