/** What becomes of incidents when their schedule is judged anew. Pure: watching and replay share it. */
import type { EventType } from "../event.ts";
import type { Incident, IncidentEvent, KeptReason } from "../../store/observer/types.ts";

/** A reason that comes back within this time is the same incident, opened again. */
export const FLAPPING_MS = 3_600_000;

/** How long a reason without a known beginning stays resolved by hand. */
const SETTLED_MS = 24 * 3_600_000;

/** What is known before. */
export interface IncidentState {
  /** Null for the service as a whole. */
  readonly scheduleId: number | null;
  /** Its open incidents. */
  readonly open: readonly Incident[];
  /** Those that ended lately, and those with the ids that the reasons would have. */
  readonly ended: readonly Incident[];
}

/** An incident as it is from now on. */
export interface IncidentChange {
  readonly incident: Incident;
  readonly isNew: boolean;
  readonly events: readonly IncidentEvent[];
  /** What the outlets are to say; null for nothing. */
  readonly tell: EventType | null;
}

/** The id of the incident of a reason: by its schedule, its code, and when or where it began. */
export function incidentId(scheduleId: number | null, { code, since, runs }: KeptReason): string {
  const about = scheduleId === null ? "service" : String(scheduleId);
  // Runs are newest first or oldest first as the reason likes: the lowest id is stable.
  const first = since ?? (runs.length > 0 ? Math.min(...runs) : 0);
  return `${about}-${code}-${first}`;
}

/** The reasons that become incidents: one of each code, and none that only informs. */
export function notableReasons(reasons: readonly KeptReason[]): readonly KeptReason[] {
  const notable = reasons.filter(({ severity }) => severity !== "info");
  return notable.filter(({ code }, at) => notable.findIndex((each) => each.code === code) === at);
}

/** What changes when these reasons hold, and no others. */
export function incidentChanges(
  { scheduleId, open, ended }: IncidentState,
  reasons: readonly KeptReason[],
  { at, isMuted }: { readonly at: number; readonly isMuted: boolean },
): readonly IncidentChange[] {
  const changes: IncidentChange[] = [];
  const holding = notableReasons(reasons);
  for (const incident of open) {
    const reason = holding.find(({ code }) => code === incident.code);
    changes.push(
      reason && goesOn(incident, reason)
        ? confirmed(incident, reason, at, isMuted)
        : resolved(incident, at),
    );
  }
  for (const reason of holding) {
    if (open.some((incident) => incident.code === reason.code && goesOn(incident, reason))) {
      continue;
    }
    const before = ended.filter(({ code }) => code === reason.code)
      .sort((a, b) => b.resolved! - a.resolved!);
    // Somebody resolved it by hand: that holds for as long as nothing new happens.
    if (before.some((each) => isSettled(each, reason, at))) continue;
    const id = incidentId(scheduleId, reason);
    const same = before.find((each) => each.id === id) ??
      before.find((each) => at - each.resolved! <= FLAPPING_MS);
    changes.push(
      same ? reopened(same, reason, at, isMuted) : opened({ id, scheduleId, reason, at, isMuted }),
    );
  }
  return changes;
}

/** Whether a reason is the one that an incident was opened for: it began before it was last seen. */
function goesOn({ seen, opened }: Incident, { since }: KeptReason): boolean {
  return since === null || since <= Math.max(seen, opened);
}

function isSettled(
  { resolved, resolvedBy }: Incident,
  { since }: KeptReason,
  at: number,
): boolean {
  if (resolvedBy === null) return false;
  // Nobody knows when it began: a day later it counts as new, rather than never again.
  return since === null ? at - resolved! < SETTLED_MS : since <= resolved!;
}

function confirmed(
  before: Incident,
  reason: KeptReason,
  at: number,
  isMuted: boolean,
): IncidentChange {
  const tellsNow = before.told === null && !isMuted && !isMutedItself(before, at);
  return {
    // Its severity stays that of its beginning: receivers know it by that.
    incident: { ...before, reason, seen: at, told: tellsNow ? at : before.told },
    isNew: false,
    events: tellsNow ? [eventOf(before.id, at, "told")] : [],
    tell: tellsNow ? "incident.opened" : null,
  };
}

function resolved(before: Incident, at: number): IncidentChange {
  return {
    incident: { ...before, resolved: at, resolvedBy: null },
    isNew: false,
    events: [eventOf(before.id, at, "resolved")],
    tell: before.told === null ? null : "incident.resolved",
  };
}

function reopened(
  before: Incident,
  reason: KeptReason,
  at: number,
  isMuted: boolean,
): IncidentChange {
  const tells = !isMuted && !isMutedItself(before, at);
  return {
    incident: {
      ...before,
      reason,
      seen: at,
      told: tells ? at : null,
      resolved: null,
      resolvedBy: null,
      acknowledged: null,
      acknowledgedBy: null,
      flaps: before.flaps + 1,
    },
    isNew: false,
    events: [eventOf(before.id, at, "reopened")],
    tell: tells ? "incident.opened" : null,
  };
}

function opened(
  { id, scheduleId, reason, at, isMuted }: {
    readonly id: string;
    readonly scheduleId: number | null;
    readonly reason: KeptReason;
    readonly at: number;
    readonly isMuted: boolean;
  },
): IncidentChange {
  return {
    incident: {
      id,
      version: 1,
      scheduleId,
      code: reason.code,
      severity: reason.severity,
      reason,
      opened: at,
      seen: at,
      told: isMuted ? null : at,
      acknowledged: null,
      acknowledgedBy: null,
      mutedUntil: null,
      resolved: null,
      resolvedBy: null,
      flaps: 0,
    },
    isNew: true,
    events: [eventOf(id, at, "opened")],
    tell: isMuted ? null : "incident.opened",
  };
}

function isMutedItself({ mutedUntil }: Incident, at: number): boolean {
  return mutedUntil !== null && mutedUntil > at;
}

function eventOf(incidentId: string, at: number, kind: IncidentEvent["kind"]): IncidentEvent {
  return { incidentId, at, kind, person: null, note: null };
}
