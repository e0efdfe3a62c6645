/** The observer's records. Times are milliseconds since 1970. */
import type { Actor } from "../../../lib/judgement/actor.ts";
import type { Incident } from "../../../lib/judgement/incidents/incident.ts";
import type { Reason } from "../../../lib/judgement/reason.ts";
import type { Pause } from "../../../lib/judgement/slots.ts";
import type { Headline } from "../../../lib/judgement/headline.ts";
import type { Plan } from "../../../lib/judgement/plans/plan.ts";
import type { StatusDictionary } from "../../../lib/runs/status.ts";
import type { ReportRun } from "../../../lib/types.ts";

export interface ConfirmedPlan extends Plan {
  /** When it was confirmed, or else since when the plan applies. */
  readonly confirmed?: number;
}

export interface WatchSettings {
  readonly name: string;
  readonly note: string;
  readonly plan: ConfirmedPlan | null;
  readonly pauses: readonly Pause[];
  readonly falseIncidents: readonly string[];
  /** No messages about it are sent until then; null if it is not muted. */
  readonly mutedUntil: number | null;
}

type ScheduleSource = "hand" | "file" | "found";

export interface StoredWatch extends WatchSettings {
  readonly scheduleId: number;
  /** 1 if it is watched; 0 if it is only read, once a day and without incidents. */
  readonly watched: 0 | 1;
  readonly source: ScheduleSource;
  /** The report's title at the last poll, with addresses masked; empty if unknown. */
  readonly title: string;
  /** The user id of the newest run's owner; null if it has none. */
  readonly ownerId: number | null;
  readonly created: number;
  readonly due: number;
  readonly polled: number | null;
  readonly failures: number;
  readonly failingSince: number | null;
  readonly failure: string | null;
}

export interface LeasedWatch extends StoredWatch {
  readonly lease: string;
}

export type Severity = Reason["severity"];

export interface StoredVerdict {
  readonly scheduleId: number;
  readonly judged: number;
  /** The verdict can't change before this time unless runs or settings change. */
  readonly holdsUntil: number;
  readonly state: string;
  readonly headline: Headline;
  readonly planSource: "confirmed" | "inferred" | null;
  readonly lastSuccess: number | null;
  readonly nextDue: number | null;
  readonly overdue: number;
  readonly failing: number;
  /** The latest planned runs, and those of about a day around `judged`: see `planned_text.ts`. */
  readonly strip: string;
  readonly day: string;
  /** How many people received the last good run; null if that is unknown. */
  readonly people: number | null;
  /** Digests of these people, separated by spaces; some may be left out. */
  readonly reached: string;
  readonly details: VerdictDetails;
}

export interface VerdictDetails {
  readonly reasons: readonly Reason[];
  readonly plan: Plan | null;
  readonly missed: readonly { readonly at: number; readonly id: string }[];
  /** How many planned runs were missed, even if fewer are listed. */
  readonly missedCount?: number;
  readonly overdue: readonly { readonly at: number; readonly id: string }[];
  readonly runs: number;
  readonly lag?: EntryLag;
  /** How long after its grace a planned run may still appear. */
  readonly waitsMs: number;
  readonly stuckAfter?: number | null;
  /** Whether a run is due that may still be on time, or may not be listed yet. */
  readonly isDue?: boolean;
  /** Until when a single failure may be repaired; null if nothing fails or most are not repaired. */
  readonly repairedBy?: number | null;
  /** The start of the oldest run that was judged, by the service's clock; null if there is none. */
  readonly oldest?: number | null;
  /** What the statuses of the judged runs were taken to mean. */
  readonly meanings?: StatusDictionary;
}

export interface EntryLag {
  readonly lag: number | null;
  /** When a late listing was last observed; null for never. */
  readonly observed: number | null;
  /** Runs that started up to this time show no lag. */
  readonly ignoredUntil: number | null;
}

export interface WatchedRun {
  readonly id: number;
  readonly start: number | null;
  readonly run: ReportRun;
}

export interface StoredIncident extends Incident {
  /** Grows with each change, so that nobody overwrites an unseen change. */
  readonly version: number;
}

export type IncidentEventKind =
  | "opened"
  | "grew"
  | "passed"
  | "reopened"
  | "severity"
  | "notified"
  | "acknowledged"
  | "unacknowledged"
  | "muted"
  | "unmuted"
  | "resolved"
  | "noted"
  | ScheduleEventKind;

export type ScheduleEventKind =
  | "watched"
  | "watched again"
  | "no longer watched"
  | "watch changed"
  | "plan confirmed"
  | "plan left to Docket"
  | "incident marked as false"
  | "incident no longer marked"
  | "schedule muted"
  | "schedule unmuted"
  | "no runs expected"
  | "runs expected again"
  | "gap planned"
  | "gap not planned";

export interface WatchEvent {
  readonly scheduleId: number;
  /** The incident on whose page it was done; null if it was done elsewhere. */
  readonly incidentId: string | null;
  readonly at: number;
  readonly kind: ScheduleEventKind;
  readonly actor: Actor;
  readonly note: string | null;
}

export interface StoredIncidentEvent extends Pick<WatchEvent, "at" | "note"> {
  readonly incidentId: string;
  readonly kind: IncidentEventKind;
  readonly actor: Actor | null;
}

export interface NewDelivery {
  /** The same for each attempt, so that receivers recognize repeats. */
  readonly id: string;
  readonly outlet: string;
  readonly incidentId: string | null;
  readonly event: string;
  readonly created: number;
  readonly heldUntil?: number | null;
}

export interface Delivery extends NewDelivery {
  readonly heldUntil: number | null;
  /** When the next attempt is due; null if it was sent or given up. */
  readonly due: number | null;
  readonly attempts: number;
  readonly sent: number | null;
  readonly givenUp: number | null;
  readonly error: string | null;
}

export interface ListedDelivery extends Delivery {
  /** False while an earlier delivery of its incident must be sent first. */
  readonly isInTurn: boolean;
}

export const NO_SCHEDULE = "The service has no such schedule (status 404)";
