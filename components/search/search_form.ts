import { DEFAULT_LIMIT } from "../../lib/client/backend.ts";
import { joinSearches } from "../../lib/search/search_url.ts";
import type { FieldSort } from "../../lib/types.ts";
import { formatIssue } from "../page/error_message.ts";
import type { ErrorMessage } from "../ui/error_notice.tsx";
import { INPUTS, searchOf } from "./new_condition.ts";
import { type SearchedRows, type ShownSearch, withBody } from "./page_view.ts";
import type { ParsedView, ParseOptions } from "./parse_page_view.ts";

export function isFromForm(params: URLSearchParams): boolean {
  return params.has(INPUTS.form);
}

/** The view that a submitted form asks for. Issues of the new condition are shown beside it. */
export function viewOfForm(
  params: URLSearchParams,
  rows: SearchedRows,
  options: ParseOptions,
  parsed: ParsedView,
): ParsedView {
  const { condition } = parsed;
  const view = withSortKey(withTableOptions(params, parsed.view, rows), params);
  const isLeftOut = condition.field === "" && condition.value === "";
  if (isLeftOut || parsed.issues.length > 0) return { ...parsed, view };
  const search = searchOf(condition, rows.table, options);
  return typeof search === "string"
    ? { ...parsed, view, condition: { ...condition, issue: search } }
    : { ...parsed, view: withBody(view, joinSearches(view.body, search)) };
}

function withTableOptions(
  params: URLSearchParams,
  view: ShownSearch,
  { columns: known, mayHaveMore, defaultColumns, fixedColumn }: SearchedRows,
): ShownSearch {
  const { limit, columns, ...rest } = view;
  const selected = params.getAll(INPUTS.column);
  const all = mayHaveMore ? new Set([...known, ...selected]) : known;
  const shown = selected.length > 0
    ? [...all].filter((name) => name === fixedColumn || selected.includes(name))
    : columns;
  return {
    ...rest,
    // The link leaves out the usual columns and the usual page size.
    ...(shown && String(shown) !== String(defaultColumns) ? { columns: shown } : {}),
    ...(limit === undefined || limit === DEFAULT_LIMIT ? {} : { limit }),
  };
}

function withSortKey(view: ShownSearch, params: URLSearchParams): ShownSearch {
  const field = params.get(INPUTS.sortField);
  if (!field) return view;
  const key: FieldSort = { field, order: params.get(INPUTS.sortOrder) || "ASC" };
  const others = (view.body.fieldSort ?? []).filter((present) => present.field !== field);
  return withBody(view, { ...view.body, fieldSort: [...others, key] });
}

export function invalidSearch(issues: readonly Parameters<typeof formatIssue>[0][]): ErrorMessage {
  return {
    title: "This search is not valid",
    detail: "Please fix:",
    issues: issues.map(formatIssue),
  };
}
