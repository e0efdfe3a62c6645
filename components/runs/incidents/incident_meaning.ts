import { formatCountOf } from "../../../lib/format.ts";
import type { IncidentReason } from "../../../lib/judgement/incident.ts";
import { formatSpan, formatWhen } from "../../ui/moment.tsx";

export function incidentMeaning(
  { reason: { code, since, evidence }, lastSuccess, people, reasonEnded }: {
    readonly reason: Pick<IncidentReason, "code" | "since" | "evidence">;
    /** When the last good run started, and how many people received it; null if unknown. */
    readonly lastSuccess: number | null;
    readonly people: number | null;
    readonly reasonEnded: number | null;
  },
  now: number,
  zone: string,
): string {
  if (reasonEnded !== null) return "It is resolved if this does not come back within an hour.";
  const who = people === null ? "" : formatCountOf(people, "person", "people");
  switch (code) {
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
      return since === null || !evidence.domains ? "" : `Nobody at ${evidence.domains} is known ` +
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
