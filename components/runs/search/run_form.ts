/** Reads links to runs, and the form that filters them. */
import { timeText } from "../../../lib/format.ts";
import { DEFAULT_LIMIT } from "../../../lib/client/backend.ts";
import { runOperators, runSearchIssues } from "../../../lib/runs/run_search.ts";
import { addDays, startOfDay } from "../../../lib/days.ts";
import { joinSearches } from "../../../lib/search/search_url.ts";
import { type ParameterIssue, parseSearchUrl } from "../../../lib/search/search_url_read.ts";
import type { DateFilter, Filter, SearchBody } from "../../../lib/types.ts";
import { LOADS, readLoad, type RunView } from "../run_links.ts";
import {
  type FieldIssue,
  type FindRecipient,
  QUICK_FIELDS,
  readBytes,
  readQuickFilter,
  readSeconds,
} from "./quick_filter.ts";
import { operatorLabels } from "../../ui/search_words.ts";
import { isRunColumn, RUN_COLUMNS, type RunColumn } from "./run_columns.ts";
import { runLabelOf } from "./run_search_text.ts";

/** The names of the fields that add a condition, and of those that choose columns. */
export const ADD_FIELDS = { field: "new-field", operator: "new-operator", value: "new-value" };
export const COLUMN_FIELD = "column";
/** The columns that the form was shown with: if they are still chosen, the link stays as it is. */
export const SHOWN_COLUMNS_FIELD = "shown-columns";

/** Operators for a new condition; `!` negates. */
export const ADD_OPERATORS = [
  "EQUALS",
  "!EQUALS",
  "LIKE",
  "!LIKE",
  "GREATER_THAN_OR_EQUAL",
  "LESS_THAN_OR_EQUAL",
  "GREATER_THAN",
  "LESS_THAN",
  "FROM",
  "UNTIL",
  "IS_NULL",
  "!IS_NULL",
];

/** One of {@linkcode ADD_OPERATORS} in words. */
export function addOperatorText(operator: string): string {
  if (operator === "FROM") return "is on or after";
  if (operator === "UNTIL") return "is on or before";
  const [is, isNot] = operatorLabels(operator.replace("!", ""));
  return operator.startsWith("!") ? isNot : is;
}

/** The operators of {@linkcode ADD_OPERATORS} that fit a field. */
export function addOperators(field: string): readonly string[] {
  const known: readonly string[] = runOperators(field);
  return ADD_OPERATORS.filter((operator) =>
    known.includes(operator.replace("!", "")) ||
    (/Time$/.test(field) && (operator === "FROM" || operator === "UNTIL"))
  );
}

export interface ParsedRunView {
  readonly view: RunView;
  readonly issues: readonly ParameterIssue[];
}

/** Whether parameters come from the form, or from a link written in the same way. */
export function isRunForm(params: URLSearchParams): boolean {
  const names = [...Object.values(QUICK_FIELDS), ...Object.values(ADD_FIELDS), COLUMN_FIELD];
  return names.some((name) => params.has(name));
}

export function parseRunView(params: URLSearchParams): ParsedRunView {
  const { view: { body, limit = DEFAULT_LIMIT, skip = 0, columns }, issues } = parseSearchUrl(
    params,
  );
  const wrongColumns = columns?.filter((name) => !isRunColumn(name)) ?? [];
  const known = columns?.filter(isRunColumn) ?? [];
  const load = readLoad(params);
  return {
    view: {
      body,
      limit,
      skip,
      load,
      ...(known.length > 0 ? { columns: known } : {}),
      ...(params.has("pick") ? { pick: true } : {}),
    },
    issues: [
      ...issues,
      ...runSearchIssues(body),
      ...wrongColumns.map((name) => ({
        parameter: "columns",
        detail: `no column is called ${name}; use ${RUN_COLUMNS.join(", ")}`,
      })),
      ...params.has("load") && params.get("load") !== String(load)
        ? [{ parameter: "load", detail: `must be one of ${LOADS.join(", ")}` }]
        : [],
    ],
  };
}

/** The search that a form asks for, and the fields that can't be used. */
export interface ParsedRunForm extends ParsedRunView {
  readonly fieldIssues: readonly FieldIssue[];
  /** The columns, if others were chosen than the form was shown with. */
  readonly chosenColumns: readonly RunColumn[] | null;
}

/** The view that the form asks for: its hidden fields, the quick filter, and a new condition. */
export function readRunForm(
  params: URLSearchParams,
  options: { readonly zone: string; readonly findRecipient: FindRecipient },
): ParsedRunForm {
  const { view, issues } = parseRunView(params);
  const quick = readQuickFilter(params, options);
  const added = readAdded(params, options.zone);
  const chosen = params.getAll(COLUMN_FIELD).filter(isRunColumn);
  const { columns: present, ...rest } = view;
  const isChanged = chosen.length > 0 && chosen.join() !== params.get(SHOWN_COLUMNS_FIELD);
  const chosenColumns = isChanged ? RUN_COLUMNS.filter((name) => chosen.includes(name)) : null;
  const columns = chosenColumns ?? present;
  return {
    view: {
      ...rest,
      skip: 0,
      ...(columns ? { columns } : {}),
      body: joinSearches(view.body, quick.body, added.body),
    },
    issues,
    fieldIssues: [...quick.issues, ...added.issues],
    chosenColumns,
  };
}

/** The new condition. Half of one is an issue: without it, more runs would match. */
function readAdded(
  params: URLSearchParams,
  zone: string,
): { readonly body: SearchBody; readonly issues: readonly FieldIssue[] } {
  const [field, chosen, typed] = Object.values(ADD_FIELDS)
    .map((name) => params.get(name)?.trim() ?? "");
  const issue = (field: keyof typeof ADD_FIELDS, detail: string) => ({
    body: {},
    issues: [{ field: ADD_FIELDS[field], detail }],
  });
  if (!field) {
    return typed ? issue("field", "is required with a value") : { body: {}, issues: [] };
  }
  const fitting = addOperators(field);
  if (fitting.length === 0) return issue("field", "must be one of those offered");
  const [first] = fitting;
  const operator = chosen || first;
  if (!fitting.includes(operator)) {
    const words = fitting.map(addOperatorText).join(", ");
    return issue("operator", `${runLabelOf(field)} can be compared by: ${words}`);
  }
  const not = operator.startsWith("!") ? { not: true } : {};
  const name = operator.replace("!", "");
  if (name === "IS_NULL") {
    return { body: { filters: [{ field, operator: name, value: [], ...not }] }, issues: [] };
  }
  if (!typed) return issue("value", "is required");
  if (name === "FROM" || name === "UNTIL") {
    if (startOfDay(typed, "UTC") === undefined) {
      return issue("value", "must be a date, such as 2026-01-31");
    }
    const time = timeText(startOfDay(addDays(typed, name === "FROM" ? 0 : 1), zone)!);
    const range: DateFilter = name === "FROM" ? { field, start: time } : { field, end: time };
    return { body: { dateFilters: [range] }, issues: [] };
  }
  const value = typed.split(",").map((text) => text.trim()).filter(Boolean)
    .map((text) => readValue(field, text));
  const filter: Filter = { field, operator: name, value: value.map((text) => text ?? ""), ...not };
  const detail = value.includes(undefined)
    ? valueHint(field)
    : runSearchIssues({ filters: [filter] })[0]?.detail;
  return detail ? issue("value", detail) : { body: { filters: [filter] }, issues: [] };
}

function readValue(field: string, text: string): string | undefined {
  if (field === "duration") return readSeconds(text);
  if (field.endsWith("Size")) return readBytes(text);
  if (field === "automated") {
    const word = text.toLowerCase();
    return word === "automated" ? "true" : word === "manual" ? "false" : undefined;
  }
  return field === "recipientDomain" ? text.replace(/^@/, "").toLowerCase() : text;
}

function valueHint(field: string): string {
  if (field === "duration") return "must be a time, such as 90 s or 2 min";
  if (field === "automated") return "must be automated or manual";
  return "must be a number of bytes, or such as 1.5 MB";
}
