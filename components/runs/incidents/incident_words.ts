import { formatCountOf } from "../../../lib/format.ts";
import type { Reason } from "../../../lib/judgement/reason.ts";
import { formatSpan, formatWhen } from "../../ui/moment.tsx";

export function incidentMeaning(
  { reason, lastSuccess, people }: {
    readonly reason: Reason;
    /** When the last good run started, and how many people received it; null if unknown. */
    readonly lastSuccess: number | null;
    readonly people: number | null;
  },
  now: number,
  zone: string,
): string {
  const who = people === null ? "" : formatCountOf(people, "person", "people");
  const { since } = reason;
  switch (reason.code) {
    case "failing":
    case "overdue": {
      if (lastSuccess === null) return "";
      const has = people === 1 ? "has" : "have";
      const span = formatSpan(now - lastSuccess);
      return who ? `${who} ${has} had no report for ${span}.` : `Nothing was sent for ${span}.`;
    }
    case "missed":
      return who && `${who} did not get it then.`;
    case "outside-recipient":
      return since === null ? "" : `Nobody at ${reason.domain} is known ` +
        `to have received it before ${formatWhen(since, now, zone)}.`;
    case "empty-delivery":
      return who && `${who} got a report without its content.`;
    case "unreadable":
    case "stale":
    case "behind":
      return "Until this ends, Docket can't say whether reports go out.";
    default: {
      if (lastSuccess === null || since === null || lastSuccess < since) return "";
      return `It still goes out, last ${formatWhen(lastSuccess, now, zone)}${who && ` to ${who}`}.`;
    }
  }
}
