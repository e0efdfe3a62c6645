import type { Actor } from "./actor.ts";
import type { Reason } from "./reason.ts";

/** A reason that applies or applied, and what people did. Times are milliseconds since 1970. */
export interface Incident {
  /** Consists of its schedule, its code, and its start: a time or a run. */
  readonly id: string;
  /** Null if it is about the service and not one schedule. */
  readonly scheduleId: number | null;
  readonly code: string;
  /** The severity when it opened, which receivers may use to identify it. */
  readonly severity: Reason["severity"];
  /** The reason as it was last found. */
  readonly reason: Reason;
  readonly opened: number;
  /** When the reason was last found. */
  readonly seen: number;
  /** When it was sent to the outlets; null if it has been muted since it opened. */
  readonly notified: number | null;
  readonly acknowledged: number | null;
  readonly acknowledgedBy: Actor | null;
  readonly mutedUntil: number | null;
  readonly resolved: number | null;
  /** The person who resolved it; null if the reason ended by itself. */
  readonly resolvedBy: Actor | null;
  /** When its reason ended, if it stays open for a while because the reason came back before. */
  readonly reasonEnded: number | null;
  /** How often the reason came back. */
  readonly flaps: number;
}

/** The id of a reason's incident: its schedule, its code, and its start. */
export function incidentId(scheduleId: number | null, reason: Reason): string {
  return `${scheduleId ?? "service"}-${incidentKey(reason)}`;
}

/** Distinguishes a schedule's reasons by their code, and the time or run with which they started. */
export function incidentKey({ code, since, runs }: Reason): string {
  // Some reasons list runs newest first, others oldest first; the lowest id is the same in both.
  return `${code}-${since ?? (runs.length > 0 ? Math.min(...runs) : 0)}`;
}

/** Leaves out the reasons that are one incident of the service, not one of each schedule. */
export function ofSchedule<Found extends Reason>(reasons: readonly Found[]): Found[] {
  return reasons.filter(({ code }) => code !== "unknown-status");
}

/** The reasons that become incidents: the first of each code, except those of severity `info`. */
export function notableReasons(reasons: readonly Reason[]): readonly Reason[] {
  const notable = reasons.filter(({ severity }) => severity !== "info");
  return notable.filter(({ code }, at) => notable.findIndex((each) => each.code === code) === at);
}

/** Whether an incident or a watched schedule is muted at a moment. */
export function isMutedAt(
  { mutedUntil }: { readonly mutedUntil: number | null },
  at: number,
): boolean {
  return mutedUntil !== null && mutedUntil > at;
}
