/** How a schedule's incidents change when it is judged again; the observer and replays use it. */
import {
  type Incident,
  incidentId,
  type IncidentReason,
  isMutedAt,
  notableReasons,
} from "./incident.ts";
import {
  goesOn,
  isKnownToFlap,
  isReported,
  isSettled,
  PLANNED,
  showsMore,
} from "./known_reasons.ts";
import type { FailurePattern } from "./retries.ts";

/** A reason that returns within this time reopens its incident, which then stays open that long. */
export const FLAPPING_MS = 3_600_000;

/** What is known before; `Known` may have more fields than an incident. */
interface Happening {
  /** What its timeline says; null if only `seen` changed. */
  readonly event: "opened" | "reopened" | "notified" | "resolved" | null;
  /** What the outlets send; null for nothing. */
  readonly notify: "opened" | "resolved" | null;
}

export type IncidentChange<Known extends Incident> =
  & Happening
  & (
    | { readonly isNew: true; readonly incident: Incident }
    | { readonly isNew: false; readonly incident: Known }
  );

interface Moment {
  readonly at: number;
  readonly isMuted: boolean;
  readonly failures: FailurePattern;
}

export function incidentChanges<Known extends Incident>(
  { scheduleId, open, ended }: {
    readonly scheduleId: number | null;
    readonly open: readonly Known[];
    /** Incidents that ended recently, and those with the ids that the reasons would get. */
    readonly ended: readonly Known[];
  },
  reasons: readonly IncidentReason[],
  moment: Moment,
): readonly IncidentChange<Known>[] {
  const { at, failures } = moment;
  const { alternatesSince } = failures;
  const changes: IncidentChange<Known>[] = [];
  const holding = notableReasons(reasons);
  const isFailing = holding.some(({ code }) => code === "failing");
  const continued = new Set<string>();
  for (const incident of open) {
    const reason = holding.find(({ code }) => code === incident.code);
    const isKnown = reason !== undefined &&
      (goesOn(incident, reason) || isReported(reason, scheduleId, [...open, ...ended]));
    const isAnother = reason !== undefined && !isKnown && isFlapping(incident, at);
    if (reason && (showsMore(incident, reason) || isAnother && isSentAgain(incident, at))) {
      continued.add(reason.code);
      const isMuted = moment.isMuted || isMutedAt(incident, at);
      // Stays notified, so that its end is sent too; what is new is sent when the muting ends.
      const waitsForUnmuting = isMuted && incident.notified !== null;
      changes.push(waitsForUnmuting ? unchanged(incident) : reopened(incident, reason, moment));
    } else if (reason && (isKnown || isAnother)) {
      continued.add(reason.code);
      changes.push(confirmed(incident, reason, isAnother, moment));
    } else if (incident.code === "flaky" && (isFailing || failures.failedLately)) {
      // It ends at another threshold than it starts at; otherwise it would come and go with each run.
      changes.push(unchanged(incident));
    } else if (incident.code === "failing" && incident.flaps > 0 && alternatesSince !== null) {
      changes.push(unchanged(incident));
    } else if (isFlapping(incident, at)) {
      changes.push(unchanged({ ...incident, reasonEnded: incident.reasonEnded ?? at }));
    } else {
      changes.push(resolved(incident, at));
    }
  }
  for (const reason of holding) {
    if (continued.has(reason.code)) continue;
    if (reason.code === "failing" && at < (failures.retryUntil ?? -Infinity)) continue;
    if (isReported(reason, scheduleId, [...open, ...ended])) continue;
    if (isKnownToFlap(reason, [...open, ...ended])) continue;
    const before = ended.filter(({ code }) => code === reason.code)
      .sort((a, b) => b.resolved! - a.resolved!);
    // If a person resolved it, it stays resolved until something new happens.
    if (before.some((each) => isSettled(each, reason))) continue;
    const id = incidentId(scheduleId, reason);
    const same = before.find((each) => each.id === id) ??
      before.find((each) => at - each.resolved! <= FLAPPING_MS) ??
      before.find((each) =>
        reason.code === "failing" && each.resolved! >= (alternatesSince ?? Infinity)
      );
    changes.push(same ? reopened(same, reason, moment) : opened(id, scheduleId, reason, moment));
  }
  return changes;
}

/** Whether to send a reason that came back: if planned runs are missing, or not sent for long. */
function isSentAgain({ code, notified }: Incident, at: number): boolean {
  return PLANNED.includes(code) || notified === null || at - notified >= FLAPPING_MS;
}

/** Whether an incident that came back stays open for now, with or without its reason. */
function isFlapping({ flaps, reasonEnded }: Incident, at: number): boolean {
  return flaps > 0 && (reasonEnded === null || at - reasonEnded < FLAPPING_MS);
}

/** When time alone changes incidents: no retry came, or one that came back was gone for long. */
export function nextChange<Known extends Incident>(
  changes: readonly IncidentChange<Known>[],
  reasons: readonly IncidentReason[],
  { at, failures: { retryUntil } }: Pick<Moment, "at" | "failures">,
): number | null {
  const open = changes.map(({ incident }) => incident).filter(({ resolved }) => resolved === null);
  const moments = open.flatMap(({ reasonEnded }) =>
    reasonEnded === null ? [] : [reasonEnded + FLAPPING_MS]
  );
  const isFailing = notableReasons(reasons).some(({ code }) => code === "failing");
  const isNotified = open.some(({ code }) => code === "failing");
  if (isFailing && !isNotified && retryUntil !== null && retryUntil > at) moments.push(retryUntil);
  return moments.length === 0 ? null : Math.min(...moments);
}

function confirmed<Known extends Incident>(
  before: Known,
  reason: IncidentReason,
  isAnother: boolean,
  { at, isMuted }: Moment,
): IncidentChange<Known> {
  const notifiesNow = (before.notified === null || isMutedNoLonger(before, at)) &&
    !isMuted && !isMutedAt(before, at);
  return {
    incident: {
      ...before,
      reason,
      seen: at,
      notified: notifiesNow ? at : before.notified,
      reasonEnded: null,
      flaps: before.flaps + (isAnother ? 1 : 0),
    },
    isNew: false,
    event: notifiesNow ? "notified" : isAnother ? "reopened" : null,
    notify: notifiesNow ? "opened" : null,
  };
}

function unchanged<Known extends Incident>(incident: Known): IncidentChange<Known> {
  return { incident, isNew: false, event: null, notify: null };
}

function resolved<Known extends Incident>(before: Known, at: number): IncidentChange<Known> {
  return {
    incident: { ...before, resolved: at, resolvedBy: null, reasonEnded: null },
    isNew: false,
    event: "resolved",
    notify: before.notified === null ? null : "resolved",
  };
}

function reopened<Known extends Incident>(
  before: Known,
  reason: IncidentReason,
  { at, isMuted }: Moment,
): IncidentChange<Known> {
  const notifies = !isMuted && !isMutedAt(before, at);
  return {
    incident: {
      ...before,
      reason,
      reasonEnded: null,
      seen: at,
      notified: notifies ? at : null,
      resolved: null,
      resolvedBy: null,
      acknowledged: null,
      acknowledgedBy: null,
      flaps: before.flaps + 1,
    },
    isNew: false,
    event: "reopened",
    notify: notifies ? "opened" : null,
  };
}

function opened<Known extends Incident>(
  id: string,
  scheduleId: number | null,
  reason: IncidentReason,
  { at, isMuted }: Moment,
): IncidentChange<Known> {
  return {
    incident: {
      id,
      scheduleId,
      code: reason.code,
      severity: reason.severity,
      reason,
      opened: at,
      seen: at,
      notified: isMuted ? null : at,
      acknowledged: null,
      acknowledgedBy: null,
      mutedUntil: null,
      resolved: null,
      resolvedBy: null,
      reasonEnded: null,
      flaps: 0,
    },
    isNew: true,
    event: "opened",
    notify: isMuted ? null : "opened",
  };
}

/** Whether a muting ended since people were notified: then they are again, unless one acknowledged it. */
function isMutedNoLonger({ mutedUntil, notified, acknowledged }: Incident, at: number): boolean {
  return mutedUntil !== null && mutedUntil <= at && notified! < mutedUntil &&
    acknowledged === null;
}
