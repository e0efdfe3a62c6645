/** A part of a history with one plan. */
import type { Fit } from "./cost.ts";

/** A time during which a schedule followed a plan, or none. */
export interface PlanPeriod {
  /** The index of its first run. */
  readonly from: number;
  /** The index after its last run. */
  readonly to: number;
  /** How many of its last runs may begin another plan, but are too few to show it; by default none. */
  readonly undecided?: number;
  /** The plan, or null if none was found. */
  readonly fit: Fit | null;
}
