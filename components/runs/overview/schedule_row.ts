import type { Headline } from "../../../lib/judgement/headline.ts";
import type { PlannedRun } from "../../../lib/judgement/judge_schedule.ts";
import type { Silence } from "../incidents/silence.tsx";
import type { Tone } from "../verdict/state_badge.tsx";

/** A known schedule as a row; times are milliseconds since 1970. */
export interface ScheduleRow {
  readonly scheduleId: number;
  readonly name: string;
  readonly isWatched: boolean;
  readonly reportTitle: string;
  /** The owner's note; empty if there is none. */
  readonly note: string;
  readonly headline: Headline;
  /** Why somebody should look at it; empty if nothing is wrong. */
  readonly sentence: string;
  readonly tone: Tone;
  /** The plan in words; null if none is known. */
  readonly plan: string | null;
  /** Whether somebody confirmed the plan; null without one. */
  readonly planSource: "confirmed" | "inferred" | null;
  /** The latest planned runs, oldest first. */
  readonly planned: readonly PlannedRun[];
  readonly lastSuccess: number | null;
  /** How many people received its last good run; null if that is unknown. */
  readonly people: number | null;
  readonly nextDue: number | null;
  readonly silences: readonly Silence[];
}
