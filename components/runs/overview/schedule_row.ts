import type { Headline } from "../../../lib/judgement/headline.ts";
import type { Tone } from "../verdict/state_badge.tsx";

/** What every table of watched schedules shows; times are milliseconds since 1970. */
export interface ScheduleRow {
  readonly scheduleId: number;
  readonly name: string;
  /** The report's title, if it is not the name. */
  readonly reportTitle: string;
  /** The owner's note; empty if there is none. */
  readonly note: string;
  readonly headline: Headline;
  /** Why somebody should look at it; empty if nothing is wrong. */
  readonly sentence: string;
  /** The colour of the first of these reasons. */
  readonly tone: Tone;
  readonly lastSuccess: number | null;
}
