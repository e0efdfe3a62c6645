/** What runs can be filtered and sorted by, and what is wrong with a search for them. */
import type { FieldKind } from "../fields.ts";
import type { ParameterIssue } from "../search/search_url_read.ts";
import type { DateFilter, Filter, KnownOperator, SearchBody } from "../types.ts";

/** What a field of {@linkcode RUN_SEARCH_FIELDS} holds; durations are seconds. */
export type RunSearchKind = FieldKind | "seconds" | "words";

/**
 * The fields that runs are filtered by: those of a run; `duration` in seconds; `recipient`, the
 * user ids of its recipients; `recipientDomain`, the domains of their addresses; and `text`: its
 * title, subject, resource name and status.
 */
export const RUN_SEARCH_FIELDS: Readonly<Record<string, RunSearchKind>> = {
  id: "integer",
  reportId: "integer",
  reportTitle: "string",
  reportSubject: "string",
  startTime: "date-time",
  endTime: "date-time",
  duration: "seconds",
  automated: "boolean",
  cardCount: "integer",
  attachmentCount: "integer",
  attachmentSize: "integer",
  emailSize: "integer",
  status: "string",
  ownerId: "integer",
  recipientCount: "integer",
  recipient: "integer",
  recipientDomain: "string",
  resourceType: "string",
  resourceId: "integer",
  resourceName: "string",
  text: "words",
};

/** Fields with several values for each run, by which runs can't be sorted. */
const LISTS: readonly string[] = ["recipient", "recipientDomain", "text"];

const OPERATORS_OF_NUMBERS: readonly KnownOperator[] = [
  "EQUALS",
  "IN",
  "GREATER_THAN_OR_EQUAL",
  "LESS_THAN_OR_EQUAL",
  "GREATER_THAN",
  "LESS_THAN",
  "IS_NULL",
];

const OPERATORS_OF: Readonly<Record<RunSearchKind, readonly KnownOperator[]>> = {
  "string": ["EQUALS", "IN", "LIKE", "IS_NULL"],
  "integer": OPERATORS_OF_NUMBERS,
  "seconds": OPERATORS_OF_NUMBERS,
  "boolean": ["EQUALS", "IS_NULL"],
  // Other conditions on dates are date filters.
  "date-time": ["IS_NULL"],
  "words": ["LIKE"],
};

/**
 * The operators that fit a field.
 *
 * @returns The operators; none for a field that is not in {@linkcode RUN_SEARCH_FIELDS}.
 */
export function runOperators(field: string): readonly KnownOperator[] {
  const kind = kindOf(field);
  return kind ? OPERATORS_OF[kind] : [];
}

/**
 * What is wrong with a search for runs.
 *
 * @returns Each issue with its query parameter; none for a valid search.
 */
export function runSearchIssues(
  { filters = [], dateFilters = [], fieldSort = [] }: SearchBody,
): ParameterIssue[] {
  const issueOf = (parameter: string, detail: string | undefined): ParameterIssue[] =>
    detail === undefined ? [] : [{ parameter, detail }];
  return [
    ...filters.flatMap((filter) => issueOf("filter", filterIssue(filter))),
    ...dateFilters.flatMap((filter) => issueOf("date", dateIssue(filter))),
    ...fieldSort.flatMap(({ field, order = "ASC" }) =>
      issueOf(
        "sort",
        kindOf(field) === undefined || LISTS.includes(field)
          ? `runs can't be sorted by ${field}; use ${sortFields().join(", ")}`
          : order === "ASC" || order === "DESC"
          ? undefined
          : `the order must be ASC or DESC, not ${order}`,
      )
    ),
  ];
}

function sortFields(): string[] {
  return Object.keys(RUN_SEARCH_FIELDS).filter((field) => !LISTS.includes(field));
}

function filterIssue({ field, operator = "EQUALS", value = [] }: Filter): string | undefined {
  const kind = kindOf(field);
  if (!kind) return unknownField(field);
  const fitting = OPERATORS_OF[kind];
  if (!(fitting as readonly string[]).includes(operator)) {
    return `${field} does not take ${operator}; use ${fitting.join(", ")}${
      kind === "date-time" ? ", or a date condition" : ""
    }`;
  }
  if (operator === "IS_NULL") return undefined;
  if (value.length === 0) return `${field} ${operator} needs a value`;
  if (kind === "boolean" && !value.every((text) => text === "true" || text === "false")) {
    return `${field} must be true or false`;
  }
  if (kind === "integer" && !value.every((text) => /^-?\d+$/.test(text))) {
    return `${field} must be a whole number`;
  }
  if (kind === "seconds" && !value.every((text) => /^-?\d+(\.\d+)?$/.test(text))) {
    return `${field} must be a number of seconds`;
  }
  if (field === "recipientDomain" && value.some((text) => text.includes("@"))) {
    return "recipientDomain must be a domain, such as example.com; addresses don't belong in links";
  }
  return undefined;
}

function dateIssue({ field, start, end }: DateFilter): string | undefined {
  const kind = kindOf(field);
  if (!kind) return unknownField(field);
  if (kind !== "date-time") return `${field} holds no date; use startTime or endTime`;
  const wrong = [start, end].find((bound) => bound !== undefined && boundOf(bound) === undefined);
  return wrong === undefined
    ? undefined
    : `${wrong} must be a date-time with a zone, such as 2026-01-31T00:00:00Z`;
}

function unknownField(field: string): string {
  return `no field is called ${field}; use ${Object.keys(RUN_SEARCH_FIELDS).join(", ")}`;
}

/**
 * A bound of a date condition, in milliseconds since 1970; undefined unless it is a date-time with
 * a zone.
 */
export function boundOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** What a field holds; undefined for a field that is not in {@linkcode RUN_SEARCH_FIELDS}. */
export function kindOf(field: string): RunSearchKind | undefined {
  return Object.hasOwn(RUN_SEARCH_FIELDS, field) ? RUN_SEARCH_FIELDS[field] : undefined;
}
