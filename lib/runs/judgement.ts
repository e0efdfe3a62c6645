/** Everything that is said of a schedule's loaded runs. */
import { type Cadence, inferCadence } from "./cadence.ts";
import { checkRuns, type Finding } from "./check.ts";
import { type Durations, measureDurations } from "./durations.ts";
import { judgeHealth, type RunHealth } from "./health.ts";
import { type Newcomer, outsideNewcomers, recipientHistories } from "./recipients.ts";
import { meaningOf, type StatusDictionary } from "./status.ts";
import { type Trend, trendOf } from "./trends.ts";
import type { ReportRun } from "../types.ts";

/** Runs, and what is known of those that were not loaded. */
export interface Loaded {
  /** Each once, the newest first. */
  readonly runs: readonly ReportRun[];
  /** Rows whose id had come before. */
  readonly repeated: readonly ReportRun[];
  readonly stopped: "end" | "enough" | "time" | "error";
  readonly older: boolean;
  readonly newer: boolean;
}

export interface Judgement {
  readonly health: RunHealth<ReportRun>;
  readonly cadence: Cadence | null;
  readonly durations: Durations<ReportRun>;
  readonly attachmentSize: Trend<ReportRun> | null;
  readonly emailSize: Trend<ReportRun> | null;
  readonly recipients: Trend<ReportRun> | null;
  readonly newcomers: readonly Newcomer<ReportRun>[];
  readonly findings: readonly Finding<ReportRun>[];
}

/** Judges loaded runs. What newer runs may change is not said: nothing is overdue then. */
export function judge(
  { runs, repeated, newer }: Loaded,
  { dictionary, now }: { readonly dictionary: StatusDictionary; readonly now: number },
): Judgement {
  // A failed run has no size to speak of.
  const sized = runs.filter(({ status }) => meaningOf(status, dictionary) !== "bad");
  return {
    health: judgeHealth(runs, dictionary),
    cadence: inferCadence(runs, newer ? undefined : now),
    durations: measureDurations(runs),
    attachmentSize: trendOf(sized, (run) => run.attachmentSize),
    emailSize: trendOf(sized, (run) => run.emailSize),
    recipients: trendOf(runs, (run) => run.recipientCount ?? run.recipients?.length),
    newcomers: outsideNewcomers(runs, recipientHistories(runs, dictionary)),
    findings: checkRuns([...runs, ...repeated], { dictionary, now }),
  };
}
