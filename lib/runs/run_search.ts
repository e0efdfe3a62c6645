/** The fields by which runs can be filtered and sorted, and checks of searches for runs. */
import { readDateTime } from "../date_times.ts";
import {
  fieldNamed,
  KIND_OPERATORS,
  type QueryKind,
  type QueryTable,
} from "../search/query_table.ts";
import type { DateFilter, Filter, SearchBody } from "../types.ts";

/** The fields by which runs are searched: `duration` is in seconds, `recipient` is a user id. */
export const RUN_QUERY: QueryTable = {
  fields: {
    startTime: { name: "started", kind: "date-time" },
    endTime: { name: "ended", kind: "date-time" },
    status: { name: "status", kind: "string" },
    automated: {
      name: "trigger",
      kind: "boolean",
      choices: { automated: "true", manual: "false", hand: "false" },
    },
    duration: { name: "took", kind: "seconds", label: "duration" },
    recipient: { name: "recipient", kind: "recipient" },
    recipientDomain: { name: "recipient-domain", kind: "string" },
    recipientCount: { name: "recipients", kind: "count" },
    attachmentCount: { name: "attachments", kind: "count" },
    attachmentSize: { name: "attachment-size", kind: "bytes" },
    emailSize: { name: "email-size", kind: "bytes" },
    cardCount: { name: "cards", kind: "count" },
    text: { name: "text", kind: "words" },
    reportTitle: { name: "report", kind: "string" },
    reportSubject: { name: "subject", kind: "string" },
    resourceType: { name: "resource-type", kind: "string" },
    resourceName: { name: "resource", kind: "string" },
    ownerId: { name: "owner", kind: "integer" },
    reportId: { name: "report-id", kind: "integer" },
    resourceId: { name: "resource-id", kind: "integer" },
    id: { name: "run-id", kind: "integer", isRequired: true },
  },
  words: "text",
};

/** Fields that can have several values in a run, so runs can't be sorted by them. */
const LISTS: readonly string[] = ["recipient", "recipientDomain", "text"];

function fittingOperators(kind: QueryKind): readonly string[] {
  if (kind === "words") return KIND_OPERATORS[kind];
  const several = KIND_OPERATORS[kind].includes("EQUALS") && kind !== "boolean";
  return [...KIND_OPERATORS[kind], ...several ? ["IN"] : [], "IS_NULL"];
}

/** What is wrong with a search for runs, as sentences. */
export function runSearchIssues(
  { filters = [], dateFilters = [], fieldSort = [] }: SearchBody,
): string[] {
  const sortFields = Object.keys(RUN_QUERY.fields).filter((field) => !LISTS.includes(field));
  const issues = [
    ...filters.map(filterIssue),
    ...dateFilters.map(dateIssue),
    ...fieldSort.map(({ field, order = "ASC" }) =>
      !sortFields.includes(field)
        ? `runs can't be sorted by ${field}; use ${sortFields.join(", ")}`
        : order === "ASC" || order === "DESC"
        ? undefined
        : `the order must be ASC or DESC, not ${order}`
    ),
  ];
  return issues.filter((issue) => issue !== undefined);
}

function filterIssue({ field, operator = "EQUALS", value = [] }: Filter): string | undefined {
  const kind = queryKind(field);
  if (!kind) return unknownField(field);
  const fitting = fittingOperators(kind);
  if (!fitting.includes(operator)) {
    return `${field} does not take ${operator}; use ${fitting.join(", ")}${
      kind === "date-time" ? ", or a date condition" : ""
    }`;
  }
  if (operator === "IS_NULL") return undefined;
  if (value.length === 0) return `${field} ${operator} needs a value`;
  if (kind === "boolean" && !value.every((text) => text === "true" || text === "false")) {
    return `${field} must be true or false`;
  }
  const isWhole = /^(integer|count|bytes|recipient)$/.test(kind);
  if (isWhole && !value.every((text) => /^-?\d+$/.test(text))) {
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
  const kind = queryKind(field);
  if (!kind) return unknownField(field);
  if (kind !== "date-time") return `${field} holds no date; use startTime or endTime`;
  const wrong = [start, end].find((bound) => bound !== undefined && readDateTime(bound).issue);
  return wrong === undefined
    ? undefined
    : `${wrong} must be a date-time with a zone, such as 2026-01-31T00:00:00Z`;
}

function unknownField(field: string): string {
  return `no field is called ${field}; use ${Object.keys(RUN_QUERY.fields).join(", ")}`;
}

function queryKind(field: string): QueryKind | undefined {
  return fieldNamed(RUN_QUERY, field)?.kind;
}
