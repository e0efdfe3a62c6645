/** Decides how a schedule's incidents change when it is judged again, for observers and replays. */
import { HOUR } from "../time_units.ts";
import { type Incident, incidentId, isMutedAt, notableReasons } from "./incident.ts";
import {
  continues,
  isKnownToFlap,
  isReported,
  isSettled,
  PLANNED,
  showsMore,
} from "./known_reasons.ts";
import type { Reason } from "./reason.ts";
import type { FailurePattern } from "./retries.ts";

/** A reason that returns within this time reopens its incident, which then stays open that long. */
export const FLAPPING_MS: number = HOUR;

/** How an incident changes; `Known` may have more fields than an incident. */
export type IncidentChange<Known extends Incident> =
  & {
    /** The entry in its timeline; null if only `seen` changed. */
    readonly event: "opened" | "reopened" | "notified" | "resolved" | null;
    /** What the outlets send; null for nothing. */
    readonly notify: "opened" | "resolved" | null;
  }
  & (
    | { readonly isNew: true; readonly incident: Incident }
    | { readonly isNew: false; readonly incident: Known }
  );

interface Moment {
  readonly at: number;
  readonly isMuted: boolean;
  readonly failures: FailurePattern;
}

/** The incidents of a schedule before it was judged. */
interface KnownIncidents<Known extends Incident> {
  readonly scheduleId: number | null;
  readonly open: readonly Known[];
  /** Incidents that ended recently, and those with the ids that the reasons would get. */
  readonly ended: readonly Known[];
}

export function incidentChanges<Known extends Incident>(
  known: KnownIncidents<Known>,
  reasons: readonly Reason[],
  moment: Moment,
): readonly IncidentChange<Known>[] {
  const notable = notableReasons(reasons);
  const isFailing = notable.some(({ code }) => code === "failing");
  const continued = new Set<string>();
  const changes = known.open.map((incident) => {
    const reason = notable.find(({ code }) => code === incident.code);
    const change = reason && withReason(incident, reason, known, moment);
    if (!change) return withoutReason(incident, isFailing, moment);
    continued.add(incident.code);
    return change;
  });
  const others = notable.filter(({ code }) => !continued.has(code));
  return [...changes, ...others.flatMap((reason) => newChange(reason, known, moment) ?? [])];
}

/** How an open incident continues; null if the reason is not the incident's, but a new one. */
function withReason<Known extends Incident>(
  incident: Known,
  reason: Reason,
  { scheduleId, open, ended }: KnownIncidents<Known>,
  moment: Moment,
): IncidentChange<Known> | null {
  const { at } = moment;
  const isKnown = continues(incident, reason) ||
    isReported(reason, scheduleId, [...open, ...ended]);
  const isReturning = !isKnown && isFlapping(incident, at);
  if (showsMore(incident, reason) || isReturning && isSentAgain(incident, at)) {
    const isMuted = moment.isMuted || isMutedAt(incident, at);
    // Stays notified, so that its end is sent too. What is new is sent when the muting ends.
    const waitsForUnmuting = isMuted && incident.notified !== null;
    return waitsForUnmuting ? unchanged(incident) : reopened(incident, reason, moment);
  }
  return isKnown || isReturning ? confirmed(incident, reason, isReturning, moment) : null;
}

/** What becomes of an open incident whose reason has ended. */
function withoutReason<Known extends Incident>(
  incident: Known,
  isFailing: boolean,
  { at, failures }: Moment,
): IncidentChange<Known> {
  const { code, flaps } = incident;
  // These end at another threshold than they start at; otherwise they would come and go.
  const staysFlaky = code === "flaky" && (isFailing || failures.failedLately);
  const alternates = code === "failing" && flaps > 0 && failures.alternatesSince !== null;
  if (staysFlaky || alternates) return unchanged(incident);
  return isFlapping(incident, at)
    ? unchanged({ ...incident, reasonEnded: incident.reasonEnded ?? at })
    : resolved(incident, at);
}

/** The incident that a reason opens or reopens; null if people know the reason, or may not yet. */
function newChange<Known extends Incident>(
  reason: Reason,
  { scheduleId, open, ended }: KnownIncidents<Known>,
  moment: Moment,
): IncidentChange<Known> | null {
  const { at, failures: { retryUntil, alternatesSince } } = moment;
  if (reason.code === "failing" && at < (retryUntil ?? -Infinity)) return null;
  const all = [...open, ...ended];
  if (isReported(reason, scheduleId, all) || isKnownToFlap(reason, all)) return null;
  const before = ended.filter(({ code }) => code === reason.code)
    .sort((a, b) => b.resolved! - a.resolved!);
  // If a person resolved it, it stays resolved until something new happens.
  if (before.some((incident) => isSettled(incident, reason))) return null;
  const id = incidentId(scheduleId, reason);
  const same = before.find((incident) => incident.id === id) ??
    before.find(({ resolved }) => at - resolved! <= FLAPPING_MS) ??
    before.find(({ resolved }) =>
      reason.code === "failing" && resolved! >= (alternatesSince ?? Infinity)
    );
  return same ? reopened(same, reason, moment) : opened(id, scheduleId, reason, moment);
}

/** Whether to send a reason that came back: always for planned runs, others once an hour. */
function isSentAgain({ code, notified }: Incident, at: number): boolean {
  return PLANNED.includes(code) || notified === null || at - notified >= FLAPPING_MS;
}

/** Whether an incident that came back stays open for now, with or without its reason. */
function isFlapping({ flaps, reasonEnded }: Incident, at: number): boolean {
  return flaps > 0 && (reasonEnded === null || at - reasonEnded < FLAPPING_MS);
}

/** When incidents change without a new run: a retry is overdue, or a reason has ended for good. */
export function nextChange<Known extends Incident>(
  changes: readonly IncidentChange<Known>[],
  reasons: readonly Reason[],
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
  reason: Reason,
  isReturning: boolean,
  { at, isMuted }: Moment,
): IncidentChange<Known> {
  const notifiesNow = (before.notified === null || isMutedNoLonger(before, at)) &&
    !isMuted && !isMutedAt(before, at);
  const incident = {
    ...before,
    reason,
    seen: at,
    notified: notifiesNow ? at : before.notified,
    reasonEnded: null,
    flaps: before.flaps + (isReturning ? 1 : 0),
  };
  const event = notifiesNow ? "notified" : isReturning ? "reopened" : null;
  return { incident, isNew: false, event, notify: notifiesNow ? "opened" : null };
}

function unchanged<Known extends Incident>(incident: Known): IncidentChange<Known> {
  return { incident, isNew: false, event: null, notify: null };
}

function resolved<Known extends Incident>(before: Known, at: number): IncidentChange<Known> {
  const incident = { ...before, resolved: at, resolvedBy: null, reasonEnded: null };
  const notify = before.notified === null ? null : "resolved";
  return { incident, isNew: false, event: "resolved", notify };
}

function reopened<Known extends Incident>(
  before: Known,
  reason: Reason,
  { at, isMuted }: Moment,
): IncidentChange<Known> {
  const notifies = !isMuted && !isMutedAt(before, at);
  const incident = {
    ...before,
    reason,
    reasonEnded: null,
    seen: at,
    notified: notifies ? at : null,
    resolved: null,
    resolvedBy: null,
    acknowledged: null,
    acknowledgedBy: null,
    // What grows has not come back.
    flaps: before.flaps + (showsMore(before, reason) ? 0 : 1),
  };
  return { incident, isNew: false, event: "reopened", notify: notifies ? "opened" : null };
}

function opened<Known extends Incident>(
  id: string,
  scheduleId: number | null,
  reason: Reason,
  { at, isMuted }: Moment,
): IncidentChange<Known> {
  const incident = {
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
  };
  return { incident, isNew: true, event: "opened", notify: isMuted ? null : "opened" };
}

/** Whether to notify people again: muting has ended since, and nobody has acknowledged. */
function isMutedNoLonger({ mutedUntil, notified, acknowledged }: Incident, at: number): boolean {
  return mutedUntil !== null && mutedUntil <= at && notified! < mutedUntil &&
    acknowledged === null;
}
