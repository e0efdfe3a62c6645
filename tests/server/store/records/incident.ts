/** An incident as it is stored, for tests that need one. */
import { familyName } from "../../../../lib/judgement/incidents/incident.ts";
import { OPEN } from "../../../../lib/judgement/incidents/transition.ts";
import type { StoredIncident } from "../../../../server/store/records/incidents.ts";
import { sampleReason } from "../../../sample_reasons.ts";

/** When the records here are made. */
export const NOW = Date.UTC(2026, 2, 10);

/** An incident that failing runs opened, with these members. */
export function incident(id: string, more: Partial<StoredIncident> = {}): StoredIncident {
  return {
    ...OPEN,
    id,
    version: 1,
    scheduleId: 7,
    subject: "",
    family: familyName(more.code ?? "failing"),
    code: "failing",
    severity: "critical",
    reason: sampleReason("failing", { severity: "critical", since: NOW, runs: [1] }),
    since: NOW,
    opened: NOW,
    notifyAt: null,
    said: "open",
    notified: NOW,
    mutedUntil: null,
    ...more,
  };
}
