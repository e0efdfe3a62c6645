/** Loaded runs, ready to be judged. */
import type { ReportRun } from "../types.ts";
import type { RunHistory } from "./judge/judge_schedule.ts";

/** Loaded runs, and what is known of those that were not loaded. */
export interface Loaded {
  /** Each once, newest first. */
  readonly runs: readonly ReportRun[];
  /** Rows with an id that another row already has. */
  readonly repeated: readonly ReportRun[];
  readonly stopped: "end" | "enough" | "time" | "error";
  readonly older: boolean;
  readonly newer: boolean;
}

/** The history that was loaded. */
export function historyOf({ runs, repeated, older, newer }: Loaded): RunHistory {
  return { runs: [...runs, ...repeated], olderUnread: older, newerUnread: newer };
}
