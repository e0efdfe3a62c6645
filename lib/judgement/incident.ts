/** An incident: a reason that applies or applied, and what people did about it. */
import type { Actor } from "./actor.ts";
import type { Reason } from "./reason.ts";

/** Why an incident is open: a reason of a verdict, or a problem with reading the schedule. */
export interface IncidentReason extends Omit<Reason, "code"> {
  readonly code: string;
}

/** A reason that holds or held. Times are milliseconds since 1970. */
export interface Incident {
  /** Made from its schedule, its code, and its start: a time or a run. */
  readonly id: string;
  /** Null if it is about the service and not one schedule. */
  readonly scheduleId: number | null;
  readonly code: string;
  /** The severity when it opened; receivers know the incident by it. */
  readonly severity: Reason["severity"];
  /** The reason as it was last found. */
  readonly reason: IncidentReason;
  readonly opened: number;
  /** When the reason was last found. */
  readonly seen: number;
  /** When it was sent to the outlets; null if it has been muted so far. */
  readonly notified: number | null;
  readonly acknowledged: number | null;
  readonly acknowledgedBy: Actor | null;
  readonly mutedUntil: number | null;
  readonly resolved: number | null;
  /** The person who resolved it; null if the reason ended by itself. */
  readonly resolvedBy: Actor | null;
  /** When its reason ended, if it stays open for a while because it came back before. */
  readonly reasonEnded: number | null;
  readonly flaps: number;
}

/** The id of a reason's incident: its schedule, its code, and its start. */
export function incidentId(scheduleId: number | null, reason: IncidentReason): string {
  return `${scheduleId ?? "service"}-${incidentKey(reason)}`;
}

/** Distinguishes a schedule's reasons: by their code, and the time or run with which they started. */
export function incidentKey({ code, since, runs }: IncidentReason): string {
  // Some reasons list runs newest first, others oldest first; the lowest id is the same in both.
  return `${code}-${since ?? (runs.length > 0 ? Math.min(...runs) : 0)}`;
}

/** The reasons that become incidents: one for each code, without mere information. */
export function notableReasons(reasons: readonly IncidentReason[]): readonly IncidentReason[] {
  const notable = reasons.filter(({ severity }) => severity !== "info");
  return notable.filter(({ code }, at) => notable.findIndex((each) => each.code === code) === at);
}

/** Whether something is muted at a moment: an incident, or the schedule that is watched. */
export function isMutedAt(
  { mutedUntil }: { readonly mutedUntil: number | null },
  at: number,
): boolean {
  return mutedUntil !== null && mutedUntil > at;
}
