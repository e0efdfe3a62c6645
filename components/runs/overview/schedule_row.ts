import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import type { Tier } from "../verdict/state_badge.tsx";

/** What every table of watched schedules shows; times are milliseconds since 1970. */
export interface ScheduleRow {
  readonly scheduleId: number;
  readonly name: string;
  /** The report's title, if it is not the name. */
  readonly reportTitle: string;
  /** The owner's note; empty if there is none. */
  readonly note: string;
  readonly state: Verdict["state"];
  /** What is shown besides the state if it is as bad as being down. */
  readonly alarm?: string;
  /** Why somebody should look at it; empty if nothing is wrong. */
  readonly sentence: string;
  /** How severe the first of these reasons is. */
  readonly tier: Tier;
  readonly lastSuccess: number | null;
}
