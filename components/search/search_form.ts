/** Reads the forms of a search: the query, the editor of a condition, and the table's options. */
import { DEFAULT_LIMIT } from "../../lib/client/backend.ts";
import { formatSearchQuery } from "../../lib/search/search_query_format.ts";
import type { FieldSort } from "../../lib/types.ts";
import { added, findCondition, replaced } from "./conditions.ts";
import { draftOf, draftOfForm, INPUTS, newDraft, readDraft } from "./draft.ts";
import { editing, type SearchedRows, type ShownSearch, withBody } from "./page_view.ts";
import type { ParsedView, ParseOptions } from "./parse_page_view.ts";

export function isFromForm(params: URLSearchParams): boolean {
  return Object.values(INPUTS).some((name) => params.has(name));
}

/** The view that a submitted form asks for: its view with what was added or replaced. */
export function viewOfForm(
  params: URLSearchParams,
  rows: SearchedRows,
  options: ParseOptions,
  parsed: ParsedView,
): ParsedView {
  const { view: given, query, issues } = parsed;
  const view = withTableOptions(params, editing(given, {}), rows);
  const { table } = rows;
  if (!params.has(INPUTS.field)) {
    const sorted = withSortKey(view, params);
    return { ...parsed, view: sorted, query: sorted === view ? query : queryOf(sorted) };
  }
  const draft = draftOfForm(params);
  const present = draft.replaces ? findCondition(view, draft.replaces) : undefined;
  const before = present
    ? draftOf(present.condition, draft.replaces, { table, zone: options.zone })
    : newDraft(draft.field, table);
  const read = readDraft(draft, before, table, options);
  if (issues.length + read.issues.length > 0) {
    const editor = draft.replaces ? { edit: draft.replaces } : { add: draft.field };
    return { ...parsed, view: editing(view, editor), issues: [...issues, ...read.issues] };
  }
  const applied = present
    ? replaced(view, present.condition, read.conditions)
    : added(view, ...read.conditions);
  const next = params.get(INPUTS.next) === "add" ? editing(applied, { add: "" }) : applied;
  return { view: next, query: queryOf(next), issues };

  function queryOf({ body }: ShownSearch): string {
    return formatSearchQuery(body, options.zone, table);
  }
}

function withTableOptions(
  params: URLSearchParams,
  view: ShownSearch,
  { columns: all, defaultColumns, fixedColumn }: SearchedRows,
): ShownSearch {
  const { limit, columns, ...rest } = view;
  const selected = params.getAll(INPUTS.column);
  const shown = selected.length > 0
    ? all.filter((name) => name === fixedColumn || selected.includes(name))
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
