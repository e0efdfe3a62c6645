/** Incidents: what needs somebody, from when it is noticed until it is over. */
import type { Actor } from "../../actor.ts";
import type { Ending } from "../planned_runs.ts";
import type { Reason, ReasonCode } from "../reason.ts";

/** A reason that holds or held, and what people did. Times are milliseconds since 1970. */
export interface Incident {
  readonly id: string;
  /** Null if it is about the service and not one schedule. */
  readonly scheduleId: number | null;
  /** What it is about, as found at first. No other open one has this schedule, family and subject. */
  readonly subject: string;
  readonly family: string;
  readonly code: ReasonCode;
  readonly severity: Reason["severity"];
  /** The reason as it was last found. */
  readonly reason: Reason;
  /** When its reason began, as it was found at first; null if that is unknown. */
  readonly since: number | null;
  readonly opened: number;
  readonly resolved: number | null;
  /** The person who resolved it; null if the reason ended by itself. */
  readonly resolvedBy: Actor | null;
  /** When the reason ended; a person may resolve an incident before. */
  readonly reasonEnded: number | null;
  /** How it ended, if more is known than that its reason is gone. */
  readonly ending: Ending | null;
  readonly acknowledged: number | null;
  readonly acknowledgedBy: Actor | null;
  readonly mutedUntil: number | null;
  /** When to send what has changed; null if there is nothing to send. */
  readonly notifyAt: number | null;
  /** What the last message said, and when it was sent; `over` also while a gap that passed is open. */
  readonly said: "nothing" | "open" | "over";
  readonly notified: number | null;
}

/** Reasons of one family can be the same incident: planned runs that are overdue are missed later. */
export function familyName(code: ReasonCode): string {
  return code === "overdue" || code === "missed" ? "gap" : code;
}

export function isMutedAt(
  { mutedUntil }: { readonly mutedUntil: number | null },
  at: number,
): boolean {
  return mutedUntil !== null && mutedUntil > at;
}

export interface Silence {
  readonly kind: "muted" | "paused";
  readonly from?: number;
  /** In milliseconds since 1970; null for no end. */
  readonly until: number | null;
  /** Who did it and why; empty if unknown. */
  readonly person: string;
  readonly note: string;
  /** What is silent: an incident, or else a schedule. */
  readonly incidentId: string | null;
  readonly scheduleId: number | null;
}
