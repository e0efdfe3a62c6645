/** Decides whether people already know a reason from an earlier incident. */
import { HOUR } from "../time_units.ts";
import { type Incident, incidentId } from "./incident.ts";
import type { Reason } from "./reason.ts";

/** A run may be listed this long after its start, and is still new. */
const LISTED_LATE_MS = 6 * HOUR;
/** Codes of reasons about planned runs that did not start. */
export const PLANNED: readonly string[] = ["overdue", "missed"];

/** Whether a reason continues an incident: it began before the incident was last seen. */
export function continues(
  { seen, opened, reason: before }: Incident,
  now: Reason,
): boolean {
  const { code, since } = now;
  if (beganAnew(before, now)) return false;
  // A change of content is identified by its first run.
  if ("first" in now && "first" in before) return now.first === before.first;
  // Occasional failures have no beginning: `since` is just the oldest one that counts.
  if (code === "flaky" || since === null) return true;
  return since <= Math.max(seen, opened) || since === before.since;
}

/** Whether a reason ended and began again, such as with another planned run. */
function beganAnew(before: Reason, reason: Reason): boolean {
  const { code, since } = reason;
  if (code !== before.code || since === null || before.since === null) return false;
  const isAfter = (later: unknown, earlier: unknown) =>
    typeof later === "number" && typeof earlier === "number" && later > earlier;
  if (code === "failing") return isAfter(reason.lastGood, before.since);
  return PLANNED.includes(code) && "latest" in before && isAfter(since, before.latest);
}

/** Whether a reason has something new to notify people of, such as another recipient. */
export function showsMore(incident: Incident, reason: Reason): boolean {
  const { seen, opened } = incident;
  const { reason: shown } = incident;
  if (reason.code === "unknown-status" && shown.code === "unknown-status") {
    return reason.of !== null && reason.statuses.some((each) => !shown.statuses.includes(each));
  }
  return ["outside-recipient", "leaver-recipient"].includes(reason.code) &&
    (isNewer(incident, reason, Math.max(seen, opened)) ?? false);
}

/**
 * Whether the newest run of a reason is newer than that of an incident, and not much older than
 * `moment`: when old runs are no longer judged, an old reason may seem to have another newest run.
 * Undefined if the reason or the incident does not name its newest run.
 */
function isNewer(
  { reason: shown }: Incident,
  reason: Reason,
  moment: number,
): boolean | undefined {
  if (!("newest" in reason && "newest" in shown)) return undefined;
  return reason.newest > shown.newest && reason.newest > moment - LISTED_LATE_MS;
}

/** Whether a reason is about missed runs that were already reported as overdue. */
export function isReported(
  reason: Reason,
  scheduleId: number | null,
  incidents: readonly Incident[],
): boolean {
  const { since } = reason;
  if (reason.code !== "missed" || since === null) return false;
  const overdueId = incidentId(scheduleId, { ...reason, code: "overdue", confirmed: true });
  return incidents.some(({ id, code, notified, opened, seen, reason: overdue }) => {
    if (code !== "overdue" || notified === null) return false;
    // The incident may have come back with other planned runs since.
    return id === overdueId ||
      Math.min(overdue.since ?? opened, opened) <= since && since <= seen;
  });
}

/** Whether a reason is about occasional failures that an incident has reported by coming back. */
export function isKnownToFlap(
  { code, runs }: Reason,
  incidents: readonly Incident[],
): boolean {
  return code === "flaky" &&
    incidents.some(({ code, flaps, reason }) =>
      code === "failing" && flaps > 0 && reason.runs.includes(runs[0])
    );
}

/** Whether a person resolved an incident, and nothing new happened since. */
export function isSettled(incident: Incident, reason: Reason): boolean {
  const { resolved, resolvedBy } = incident;
  if (resolvedBy === null || beganAnew(incident.reason, reason)) return false;
  const isNew = isNewer(incident, reason, resolved!);
  if (isNew !== undefined) return !isNew;
  const { since } = reason;
  if (since !== null) return since <= resolved!;
  // Without a start, only a run that the incident did not show is new.
  return reason.runs.length > 0 && reason.runs.every((id) => incident.reason.runs.includes(id));
}
