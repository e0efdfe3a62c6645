/** Whether people know a reason already: by its incident, or by another report. */
import { type Incident, incidentId, type IncidentReason } from "./incident.ts";

/** A run that is listed this long after its start still counts as new. */
const LISTED_LATE_MS = 6 * 3_600_000;
/** Codes of reasons about planned runs that did not start. */
export const PLANNED: readonly string[] = ["overdue", "missed"];

/** Whether a reason continues an incident: it began before the incident was last seen. */
export function goesOn(
  { seen, opened, reason }: Incident,
  now: IncidentReason,
): boolean {
  const { code, since, evidence } = now;
  if (beganAnew(reason, now)) return false;
  // Each change of content has a first run of its own.
  if (typeof evidence.first === "number" && typeof reason.evidence.first === "number") {
    return evidence.first === reason.evidence.first;
  }
  // Occasional failures have no beginning: `since` is just the first failure in the window.
  if (code === "flaky" || since === null) return true;
  return since <= Math.max(seen, opened) || since === reason.since;
}

/** Whether what an incident was about is over and began again, such as with another planned run. */
function beganAnew(before: IncidentReason, { code, since, evidence }: IncidentReason): boolean {
  if (code !== before.code || since === null || before.since === null) return false;
  const isAfter = (later: unknown, earlier: unknown) =>
    typeof later === "number" && typeof earlier === "number" && later > earlier;
  if (code === "failing") return isAfter(evidence.lastGood, before.since);
  return PLANNED.includes(code) && isAfter(since, before.evidence.latest);
}

/** Whether a reason has grown by something that people are notified of each time. */
export function showsMore(incident: Incident, reason: IncidentReason): boolean {
  const { seen, opened } = incident;
  return ["outside-recipient", "leaver-recipient"].includes(reason.code) &&
    (isNewer(incident, reason, Math.max(seen, opened)) ?? false);
}

/**
 * Whether the newest run of a reason came after what an incident has shown up to a moment. Undefined
 * if the reason or the incident does not name its newest run. In a long history an old reason may
 * seem to have started later, because its first runs are not judged any more; but still long ago.
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

/** Whether a reason is that runs are missed which were already reported as overdue. */
export function isReported(
  reason: IncidentReason,
  scheduleId: number | null,
  incidents: readonly Incident[],
): boolean {
  const overdueId = incidentId(scheduleId, { ...reason, code: "overdue" });
  return reason.code === "missed" &&
    incidents.some((incident) => isReportedOverdue(incident, overdueId, reason));
}

/** Whether a reason is that runs fail now and then, which an incident that came back has told. */
export function isKnownToFlap(
  { code, runs }: IncidentReason,
  incidents: readonly Incident[],
): boolean {
  return code === "flaky" &&
    incidents.some(({ code, flaps, reason }) =>
      code === "failing" && flaps > 0 && reason.runs.includes(runs[0])
    );
}

/** Whether missed runs were reported as overdue, perhaps by an incident that came back since. */
function isReportedOverdue(
  { id, code, reason: { since }, opened, notified, seen }: Incident,
  overdueId: string,
  missed: IncidentReason,
): boolean {
  if (code !== "overdue" || notified === null || missed.since === null) return false;
  return id === overdueId ||
    Math.min(since ?? opened, opened) <= missed.since && missed.since <= seen;
}

/** Whether a person resolved an incident, and nothing new happened since. */
export function isSettled(incident: Incident, reason: IncidentReason): boolean {
  const { resolved, resolvedBy } = incident;
  if (resolvedBy === null || beganAnew(incident.reason, reason)) return false;
  const isNew = isNewer(incident, reason, resolved!);
  if (isNew !== undefined) return !isNew;
  const { since } = reason;
  if (since !== null) return since <= resolved!;
  // Nobody knows when it started, so a run that it did not show before is what is new.
  return reason.runs.length > 0 && reason.runs.every((id) => incident.reason.runs.includes(id));
}
