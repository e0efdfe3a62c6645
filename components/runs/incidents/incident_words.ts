import { formatCountOf } from "../../../lib/format.ts";
import { formatSpan } from "../../ui/moment.tsx";

/**
 * What a code means for people, such as `7 people have had no report for 7 days.`, or `Rowan Pike
 * gets this report.`
 */
export function peopleWords(
  { code, lastSuccess, people, undecided = [] }: {
    readonly code: string;
    /** When the last good run started, and how many people received it; null if unknown. */
    readonly lastSuccess: number | null;
    readonly people: number | null;
    /** Whom it is about, as long as nobody has decided about them. */
    readonly undecided?: readonly string[];
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
      return who && `${who} did not get it.`;
    case "empty-delivery":
      return who && `${who} got it.`;
    case "outside-recipient":
    case "leaver-recipient":
      return receiverWords(undecided);
    default:
      return "";
  }
}

function receiverWords(names: readonly string[]): string {
  if (names.length === 0) return "";
  const [first, second] = names;
  if (names.length === 1) return `${first} gets this report.`;
  return `${first} and ${names.length === 2 ? second : "others"} get this report.`;
}
