/** Decides whether people already know a reason from an earlier incident. */
import { HOUR } from "../time_units.ts";
import { type Incident, incidentId, type IncidentReason } from "./incident.ts";

/** A run may be listed this long after its start, and is still new. */
const LISTED_LATE_MS = 6 * HOUR;
/** Codes of reasons about planned runs that did not start. */
export const PLANNED: readonly string[] = ["overdue", "missed"];

/** Whether a reason continues an incident: it began before the incident was last seen. */
export function continues(
  { seen, opened, reason: before }: Incident,
  now: IncidentReason,
): boolean {
  const { code, since, evidence } = now;
  if (beganAnew(before, now)) return false;
  // A change of content is identified by its first run.
  if (typeof evidence.first === "number" && typeof before.evidence.first === "number") {
    return evidence.first === before.evidence.first;
  }
  // Occasional failures have no beginning: `since` is just the oldest one that counts.
  if (code === "flaky" || since === null) return true;
  return since <= Math.max(seen, opened) || since === before.since;
}

/** Whether a reason ended and began again, such as with another planned run. */
function beganAnew(before: IncidentReason, { code, since, evidence }: IncidentReason): boolean {
  if (code !== before.code || since === null || before.since === null) return false;
  const isAfter = (later: unknown, earlier: unknown) =>
    typeof later === "number" && typeof earlier === "number" && later > earlier;
  if (code === "failing") return isAfter(evidence.lastGood, before.since);
  return PLANNED.includes(code) && isAfter(since, before.evidence.latest);
}

/** Whether a reason has something new to notify people of, such as another recipient. */
export function showsMore(incident: Incident, reason: IncidentReason): boolean {
  const { seen, opened } = incident;
  const { unknown } = reason.evidence;
  if (unknown !== undefined) return unknown !== incident.reason.evidence.unknown;
  return ["outside-recipient", "leaver-recipient"].includes(reason.code) &&
    (isNewer(incident, reason, Math.max(seen, opened)) ?? false);
}

/**
 * Whether the newest run of a reason is newer than that of an incident, and not much older than
 * `moment`: when old runs are no longer judged, an old reason may seem to have another newest run.
 * Undefined if the reason or the incident does not name its newest run.
 */
function isNewer(
  { reason }: Incident,
  { evidence: { newest } }: IncidentReason,
  moment: number,
): boolean | undefined {
  const shown = reason.evidence.newest;
  if (typeof newest !== "number" || typeof shown !== "number") return undefined;
  return newest > shown && newest > moment - LISTED_LATE_MS;
}

/** Whether a reason is about missed runs that were already reported as overdue. */
export function isReported(
  reason: IncidentReason,
  scheduleId: number | null,
  incidents: readonly Incident[],
): boolean {
  const { code, since } = reason;
  if (code !== "missed" || since === null) return false;
  const overdueId = incidentId(scheduleId, { ...reason, code: "overdue" });
  return incidents.some(({ id, code, notified, opened, seen, reason: overdue }) => {
    if (code !== "overdue" || notified === null) return false;
    // The incident may have come back with other planned runs since.
    return id === overdueId ||
      Math.min(overdue.since ?? opened, opened) <= since && since <= seen;
  });
}

/** Whether a reason is about occasional failures that an incident has reported by coming back. */
export function isKnownToFlap(
  { code, runs }: IncidentReason,
  incidents: readonly Incident[],
): boolean {
  return code === "flaky" &&
    incidents.some(({ code, flaps, reason }) =>
      code === "failing" && flaps > 0 && reason.runs.includes(runs[0])
    );
}

/** Whether a person resolved an incident, and nothing new happened since. */
export function isSettled(incident: Incident, reason: IncidentReason): boolean {
  const { resolved, resolvedBy } = incident;
  if (resolvedBy === null || beganAnew(incident.reason, reason)) return false;
  const isNew = isNewer(incident, reason, resolved!);
  if (isNew !== undefined) return !isNew;
  const { since } = reason;
  if (since !== null) return since <= resolved!;
  // Without a start, only a run that the incident did not show is new.
  return reason.runs.length > 0 && reason.runs.every((id) => incident.reason.runs.includes(id));
}
