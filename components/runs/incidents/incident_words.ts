import { formatCountOf } from "../../../lib/format.ts";
import { formatSpan } from "../../ui/moment.tsx";

/** Who has no report because of what a code says, such as `7 people have had no report for 7 days.` */
export function peopleWords(
  { code, lastSuccess, people }: {
    readonly code: string;
    /** When the last good run started, and how many people received it; null if unknown. */
    readonly lastSuccess: number | null;
    readonly people: number | null;
  },
  now: number,
): string {
  const who = people ? formatCountOf(people, "person", "people") : "";
  const [is, has] = people === 1 ? ["is", "has"] : ["are", "have"];
  switch (code) {
    case "overdue":
      return who && `${who} ${is} waiting.`;
    case "failing": {
      if (lastSuccess === null) return "";
      const span = formatSpan(now - lastSuccess);
      return who ? `${who} ${has} had no report for ${span}.` : `Nothing was sent for ${span}.`;
    }
    case "missed":
      return who && `${who} did not get it then.`;
    case "empty-delivery":
      return who && `${who} got a report without its content.`;
    default:
      return "";
  }
}

/** Who receives a report and perhaps should not, such as `Rowan Pike and others get this report.` */
export function recipientWords(names: readonly string[]): string {
  if (names.length === 0) return "";
  const [first, second] = names;
  if (names.length === 1) return `${first} gets this report.`;
  return `${first} and ${names.length === 2 ? second : "others"} get this report.`;
}
