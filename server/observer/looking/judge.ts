/** What the observer asks of the judgement of a schedule: see lib/runs. */
import type { StatusDictionary } from "../../../lib/runs/status.ts";
import type { RunHealth } from "../../../lib/runs/health.ts";
import type { ReportRun } from "../../../lib/types.ts";
import type { KeptPlan, KeptReason } from "../../store/observer/types.ts";

/** A moment at which a run is due. */
export interface DueSlot {
  readonly at: number;
  readonly id: string;
}

/** The part of a verdict that the observer works with. */
export interface ObservedVerdict {
  readonly state: string;
  readonly reasons: readonly KeptReason[];
  readonly schedule: {
    readonly plan: KeptPlan;
    readonly source: "confirmed" | "inferred";
    readonly missed: readonly DueSlot[];
    readonly overdue: readonly DueSlot[];
    readonly next: number | null;
    readonly counts: { readonly missed: number; readonly overdue: number };
  } | null;
  readonly health: RunHealth<ReportRun>;
}

/** Judges a schedule by its runs. */
export type Judge = (
  history: { readonly runs: readonly ReportRun[]; readonly olderUnread?: boolean },
  options: { now: number; statuses: StatusDictionary; plan?: KeptPlan; zone?: string },
) => ObservedVerdict;

/** The moments of a plan within a span. */
export type PlanSlots = (plan: KeptPlan, from: number, to: number) => readonly number[];
