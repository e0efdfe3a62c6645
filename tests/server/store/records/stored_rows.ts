/** Incidents and verdicts as they are stored, for tests that need one. */
import { familyName } from "../../../../lib/judgement/incidents/incident.ts";
import { OPEN } from "../../../../lib/judgement/incidents/transition.ts";
import type { StoredIncident } from "../../../../server/store/records/incidents.ts";
import { NO_LAG, type StoredVerdict } from "../../../../server/store/records/verdicts.ts";
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

/** A verdict on a healthy schedule, with these members. */
export function verdictOf(scheduleId: number, more: Partial<StoredVerdict> = {}): StoredVerdict {
  return {
    scheduleId,
    judged: NOW,
    holdsUntil: NOW + 60,
    state: "up",
    headline: "healthy",
    planSource: null,
    lastSuccess: null,
    nextDue: null,
    overdue: 0,
    failing: 0,
    strip: [],
    day: [],
    people: null,
    reached: "",
    details: {
      reasons: [],
      plan: null,
      missed: [],
      missedCount: 0,
      overdue: [{ at: NOW, id: "x" }],
      lag: NO_LAG,
      waitsMs: 0,
      repairedBy: null,
      oldest: null,
    },
    ...more,
  };
}
