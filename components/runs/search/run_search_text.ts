/** Searches for runs as text: the labels of fields, and conditions in words. */
import { formatBytes, formatDuration } from "../../../lib/format.ts";
import { RUN_SEARCH_FIELDS } from "../../../lib/runs/run_search.ts";
import type { DateFilter, FieldSort, Filter } from "../../../lib/types.ts";
import { formatTimes, lookUp, operatorLabels, ORDER_LABELS } from "../../ui/search_words.ts";
import { formatZone } from "../../ui/zone.ts";
import { triggerLabel } from "../format.ts";

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
  return lookUp(RUN_LABELS, field) ?? field;
}

export interface WordOptions {
  readonly zone: string;
  readonly names: ReadonlyMap<number, string>;
}

/** A condition in words, such as `Duration is at least 1 min`. */
export function runFilterText(
  { field, operator = "EQUALS", value = [], not }: Filter,
  { names }: Pick<WordOptions, "names">,
): string {
  const [is, isNot] = operatorLabels(operator);
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
export function runDateText(filter: DateFilter, { zone }: Pick<WordOptions, "zone">): string {
  const times = formatTimes(filter, zone);
  const text = `${runLabelOf(filter.field)} ${filter.not ? "is not " : ""}${times}`;
  return times.includes(":") ? `${text} ${formatZone(zone)}` : text;
}

/** A sort key in words, such as `sorted by Duration, descending`. */
export function runSortText({ field, order }: FieldSort): string {
  return `sorted by ${runLabelOf(field)}, ${ORDER_LABELS[order === "DESC" ? "DESC" : "ASC"]}`;
}

export function isNumberOfRun(field: string): boolean {
  return ["integer", "seconds"].includes(RUN_SEARCH_FIELDS[field]);
}
