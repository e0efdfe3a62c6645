/** The fields by which runs can be filtered and sorted, and checks of searches for runs. */
import { searchIssues } from "../search/match_rows.ts";
import { fieldNamed, type QueryKind, type QueryTable } from "../search/query_table.ts";
import type { SearchBody } from "../types.ts";

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

/** What is wrong with a search for runs, as sentences. */
export function runSearchIssues(body: SearchBody): string[] {
  const { filters = [], dateFilters = [], fieldSort = [] } = body;
  const names = [...filters, ...dateFilters, ...fieldSort].map(({ field }) => field);
  const all = Object.keys(RUN_QUERY.fields);
  const sortFields = all.filter((field) => !LISTS.includes(field));
  return [
    ...names.filter((field) => runFieldKind(field) === undefined)
      .map((field) => `no field is called ${field}; use ${all.join(", ")}`),
    ...dateFilters.filter(({ field }) => runFieldKind(field) !== "date-time")
      .map(({ field }) => `${field} holds no date; use startTime or endTime`),
    ...filters.filter(({ field, value = [] }) =>
      field === "recipientDomain" && value.some((text) => text.includes("@"))
    ).map(() =>
      "recipientDomain must be a domain, such as example.com; addresses don't belong in links"
    ),
    ...fieldSort.filter(({ field }) => !sortFields.includes(field))
      .map(({ field }) => `runs can't be sorted by ${field}; use ${sortFields.join(", ")}`),
    ...searchIssues(body, runFieldKind),
  ];
}

export function runFieldKind(field: string): QueryKind | undefined {
  return fieldNamed(RUN_QUERY, field)?.kind;
}
