import { joinSearches } from "../../lib/search/search_query.ts";
import { formatIssue } from "../page/error_message.ts";
import type { ErrorMessage } from "../ui/notices.tsx";
import { INPUTS, parseCondition } from "./new_condition.ts";
import { type SearchedRows, type ShownSearch, withBody } from "./page_view.ts";
import type { ParsedView, ParseOptions } from "./parse_page_view.ts";

export function isFromForm(params: URLSearchParams): boolean {
  return params.has(INPUTS.form);
}

/** The view that a submitted form asks for. Issues of the new condition are shown beside it. */
export function readForm(
  params: URLSearchParams,
  rows: SearchedRows,
  options: ParseOptions,
  parsed: ParsedView,
): ParsedView {
  const { condition } = parsed;
  const view = withTableOptions(parsed.view, params, rows);
  const isLeftOut = condition.field === "" && condition.value === "";
  if (isLeftOut || parsed.issues.length > 0) return { ...parsed, view };
  const added = parseCondition(condition, rows.table, options);
  return typeof added === "string"
    ? { ...parsed, view, condition: { ...condition, issue: added } }
    : { ...parsed, view: withBody(view, joinSearches(view.body, added)) };
}

/** The view with the columns that a submitted form asks for. */
export function withTableOptions(
  view: ShownSearch,
  params: URLSearchParams,
  { columns: known, mayHaveMore, defaultColumns, fixedColumn }: SearchedRows,
): ShownSearch {
  const { columns, ...rest } = view;
  const selected = params.getAll(INPUTS.column);
  const all = mayHaveMore ? new Set([...known, ...selected]) : known;
  const shown = selected.length > 0
    ? [...all].filter((name) => name === fixedColumn || selected.includes(name))
    : columns;
  // The link leaves out the usual columns.
  return shown && String(shown) !== String(defaultColumns) ? { ...rest, columns: shown } : rest;
}

export function invalidSearch(issues: readonly Parameters<typeof formatIssue>[0][]): ErrorMessage {
  return {
    title: "This search is not valid",
    detail: "Please fix:",
    issues: issues.map(formatIssue),
  };
}
