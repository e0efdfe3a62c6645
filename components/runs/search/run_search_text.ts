/** Searches for runs as text: the labels of fields, and conditions in words. */
import { formatBytes, formatDuration } from "../../../lib/format.ts";
import { addDays } from "../../../lib/runs/days.ts";
import { RUN_SEARCH_FIELDS } from "../../../lib/runs/run_search.ts";
import type { DateFilter, FieldSort, Filter } from "../../../lib/types.ts";
import { formatMoment, formatZone } from "../../ui/zone.ts";
import { triggerLabel } from "../format.ts";
import { dayAt } from "./quick_filter.ts";

/** The labels of the fields that runs are filtered and sorted by, in reading order. */
const RUN_LABELS: Readonly<Record<string, string>> = {
  startTime: "Started",
  endTime: "Ended",
  status: "Status",
  automated: "Trigger",
  reportTitle: "Report",
  reportSubject: "Subject",
  resourceType: "Resource type",
  resourceName: "Resource",
  duration: "Duration",
  cardCount: "Cards",
  attachmentCount: "Attachments",
  attachmentSize: "Attachment size",
  emailSize: "Email size",
  recipientCount: "Recipients",
  recipient: "Recipient (user id)",
  recipientDomain: "Recipient domain",
  text: "Text",
  ownerId: "Owner",
  reportId: "Report id",
  resourceId: "Resource id",
  id: "Run id",
};

/** The label of a field; an unknown field is its own label. */
export function runLabelOf(field: string): string {
  return Object.hasOwn(RUN_LABELS, field) ? RUN_LABELS[field] : field;
}

/** Operators in words, also negated. */
const OPERATOR_WORDS: Readonly<Record<string, readonly [is: string, isNot: string]>> = {
  EQUALS: ["is", "is not"],
  IN: ["is", "is not"],
  LIKE: ["contains", "does not contain"],
  GREATER_THAN: ["is over", "is not over"],
  GREATER_THAN_OR_EQUAL: ["is at least", "is not at least"],
  LESS_THAN: ["is under", "is not under"],
  LESS_THAN_OR_EQUAL: ["is at most", "is not at most"],
  IS_NULL: ["is empty", "has a value"],
};

/** What conditions are written with. */
export interface WordOptions {
  readonly zone: string;
  /** Names of recipients by user id. */
  readonly names: ReadonlyMap<number, string>;
}

/** A condition in words, such as `Duration is at least 1 min 00 s`. */
export function runFilterText(
  { field, operator = "EQUALS", value = [], not }: Filter,
  { names }: Pick<WordOptions, "names">,
): string {
  const [is, isNot] = Object.hasOwn(OPERATOR_WORDS, operator)
    ? OPERATOR_WORDS[operator]
    : [operator, `not ${operator}`];
  const label = field === "recipient" ? "Recipient" : runLabelOf(field);
  const values = operator === "IS_NULL"
    ? ""
    : value.map((text) => valueText(field, text, names)).join(" or ");
  return [label, not ? isNot : is, values].filter(Boolean).join(" ");
}

function valueText(field: string, text: string, names: ReadonlyMap<number, string>): string {
  switch (field) {
    case "duration":
      return formatDuration(Number(text) * 1000);
    case "attachmentSize":
    case "emailSize":
      return formatBytes(Number(text));
    case "automated":
      return triggerLabel(text === "true")!;
    case "recipient":
      return names.get(Number(text)) || `user ${text}`;
  }
  return text === "" ? "“”" : text;
}

/** A condition on a date in words, such as `Started from 2026-11-01 to 2026-11-03`. */
export function runDateText(
  { field, start, end, not }: DateFilter,
  { zone }: Pick<WordOptions, "zone">,
): string {
  const label = `${runLabelOf(field)}${not ? " not" : ""}`;
  const first = dayAt(start, zone);
  const after = dayAt(end, zone);
  const last = after && addDays(after, -1);
  if ((start && !first) || (end && !last)) {
    const bounds = [
      start && `from ${formatMoment(start, zone)}`,
      end && `before ${formatMoment(end, zone)}`,
    ].filter(Boolean).join(" ");
    return `${label} ${bounds} ${formatZone(zone)}`;
  }
  if (first && first === last) return `${label} on ${first}`;
  if (!first && !last) return `${label} at any time`;
  return [label, first && `from ${first}`, last && `to ${last}`].filter(Boolean).join(" ");
}

/** A sort key in words, such as `sorted by Duration, descending`. */
export function runSortText({ field, order }: FieldSort): string {
  return `sorted by ${runLabelOf(field)}, ${order === "DESC" ? "descending" : "ascending"}`;
}

/** Whether a field of a run is a number. */
export function isNumberOfRun(field: string): boolean {
  return ["integer", "seconds"].includes(RUN_SEARCH_FIELDS[field]);
}
