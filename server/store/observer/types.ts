/** What the observer keeps. Moments are milliseconds since 1970. */
import type {
  Incident as ChangedIncident,
  IncidentReason,
} from "../../../lib/judgement/incident.ts";
import type { Reason } from "../../../lib/judgement/reason.ts";
import type { FailurePattern } from "../../../lib/judgement/retries.ts";
import type { Pause } from "../../../lib/judgement/slots.ts";
import type { Plan } from "../../../lib/judgement/plans/plan.ts";
import type { StatusDictionary } from "../../../lib/runs/status.ts";
import type { ReportRun } from "../../../lib/types.ts";

export interface ConfirmedPlan extends Plan {
  /** When it was confirmed; if unknown, since when the plan is valid. */
  readonly confirmed?: number;
}

/** What a person says of a schedule that Docket watches. */
export interface WatchSettings {
  /** What people call it; empty for none. */
  readonly name: string;
  readonly note: string;
  /** The confirmed plan; null if none is. */
  readonly plan: ConfirmedPlan | null;
  /** What its statuses mean; null for the default. */
  readonly statuses: StatusDictionary | null;
  readonly pauses: readonly Pause[];
  /** Keys of incidents of a backtest that were false, in a person's view. */
  readonly falseIncidents: readonly string[];
  /** Until when nothing about it is delivered; null if it is not muted. */
  readonly mutedUntil: number | null;
}

export interface Watch extends WatchSettings {
  readonly scheduleId: number;
  /** The report's title at the last look, with addresses masked; empty if it is not known. */
  readonly title: string;
  readonly created: number;
  readonly due: number;
  /** When a look last succeeded. */
  readonly looked: number | null;
  /** How many looks failed since then. */
  readonly failures: number;
  /** When the first of them failed. */
  readonly failingSince: number | null;
  readonly failure: string | null;
}

/** A watch that this instance may look at until its lease ends. */
export interface LeasedWatch extends Watch {
  readonly lease: string;
}

export type Severity = Reason["severity"];

/** Why one should look at a schedule, as it is kept. */
export type KeptReason = IncidentReason;

/** The latest verdict on a schedule, as pages and metrics ask for it. */
export interface KeptVerdict {
  readonly scheduleId: number;
  readonly judged: number;
  /** Until when time alone does not change it. */
  readonly holdsUntil: number;
  readonly state: string;
  readonly planSource: "confirmed" | "inferred" | null;
  /** When the last good run started. */
  readonly lastSuccess: number | null;
  readonly nextDue: number | null;
  readonly overdue: number;
  /** How many runs failed in a row, up to the latest. */
  readonly failing: number;
  readonly details: VerdictDetails;
}

/** The parts of a verdict that only a page of its schedule needs. */
export interface VerdictDetails {
  readonly reasons: readonly KeptReason[];
  readonly plan: Plan | null;
  readonly missed: readonly { readonly at: number; readonly id: string }[];
  readonly overdue: readonly { readonly at: number; readonly id: string }[];
  readonly runs: number;
  /** How long after its start a run came into the history; null if that was not seen yet. */
  readonly entryLag: number | null;
  /** How long after its grace a slot may still turn out to be met. */
  readonly waitsMs: number;
  /** After how long a run without an end is stuck; null if not known, as in older verdicts. */
  readonly stuckAfter?: number | null;
  /** Whether a run is due and may still be on time, or may have started without being listed yet. */
  readonly isDue?: boolean;
  /** What earlier failures mean for the current one, by the service's clock. */
  readonly failures: FailurePattern;
}

export interface WatchedRun {
  readonly id: number;
  /** When it started, where that can be read. */
  readonly start: number | null;
  readonly run: ReportRun;
}

/** A reason that holds, or held, kept. */
export interface Incident extends ChangedIncident {
  /** Grows with each change: who changes it says which one they saw. */
  readonly version: number;
}

export type IncidentEventKind =
  | "opened"
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

/** What somebody did with a schedule, as timelines say it. */
export type ScheduleEventKind =
  | "watched"
  | "watched again"
  | "no longer watched"
  | "watch changed"
  | "status meanings changed"
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

export interface IncidentEvent {
  readonly incidentId: string;
  readonly at: number;
  readonly kind: IncidentEventKind;
  /** Who did it; null for Docket itself. */
  readonly person: string | null;
  readonly note: string | null;
}

/** What somebody did with a watched schedule. */
export interface WatchEvent {
  readonly scheduleId: number;
  /** The incident on whose page it was done; null if elsewhere. */
  readonly incidentId: string | null;
  readonly at: number;
  readonly kind: ScheduleEventKind;
  /** Who did it, as far as they said. */
  readonly person: string;
  readonly note: string | null;
}

export interface NewDelivery {
  /** The same at each attempt, so that a receiver can tell a repeat. */
  readonly id: string;
  readonly outlet: string;
  readonly incidentId: string | null;
  readonly event: string;
  readonly created: number;
}

/** A line of the ledger of deliveries. */
export interface Delivery extends NewDelivery {
  /** When it is tried next; null if it was sent or given up. */
  readonly due: number | null;
  readonly attempts: number;
  readonly sent: number | null;
  readonly givenUp: number | null;
  readonly error: string | null;
}

/** The same where the ledger is read. */
export interface ListedDelivery extends Delivery {
  /** Whether nothing earlier of its incident has to be sent first. */
  readonly isInTurn: boolean;
}

/** Why a look failed if the service has no schedule with that id. */
export const NO_SCHEDULE = "The service has no such schedule (status 404)";
