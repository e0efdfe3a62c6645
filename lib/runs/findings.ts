import { DAY, MINUTE } from "../time_units.ts";
import type { ReportRun } from "../types.ts";
import { quantile } from "./numbers.ts";
import { claimedCount, comparedAddress, recipientKey } from "./recipients.ts";
import { meaningOf, type StatusDictionary } from "./status.ts";
import { newestFirst, timeOf } from "./times.ts";

/** An inconsistency in runs. */
export interface Finding<Run> {
  /** Its kind. */
  readonly kind:
    | "repeated-id"
    | "no-start"
    | "no-end"
    | "end-before-start"
    | "overlap"
    | "recipient-count"
    | "repeated-recipient"
    | "attachment-size";
  /** The run that has it. */
  readonly run: Run;
  /** The run that it was compared with, if any. */
  readonly other?: Run;
  /** A sentence that describes it, without a full stop. */
  readonly message: string;
}

export type FindingKind = Finding<unknown>["kind"];

/** A run with the values that several checks need. */
interface CheckedRun<Run> {
  readonly run: Run;
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly isBad: boolean;
}

/** A run without an end may be running for this long if fewer than this many others have ended. */
const STILL_GOING_MS = DAY;
const MIN_ENDED = 3;
/** Otherwise, it may run this many times as long as nearly all others, and at least this long. */
const LONGER = 4;
const MIN_STILL_GOING_MS = 10 * MINUTE;

/** Finds inconsistencies in runs, which may be in any order. Findings of newer runs come first. */
export function checkRuns<Run extends ReportRun>(
  runs: readonly Run[],
  { dictionary, now }: { readonly dictionary: StatusDictionary; readonly now: number },
): Finding<Run>[] {
  const checked = newestFirst(runs).map((run) => ({
    run,
    start: timeOf(run.startTime),
    end: timeOf(run.endTime),
    isBad: meaningOf(run.status, dictionary) === "bad",
  }));
  const found = [
    ...repeatedIds(checked),
    ...findingsOfEach(checked, now),
    ...overlaps(checked),
  ];
  const indexes = new Map(checked.map(({ run }, index) => [run, index]));
  return found.sort((a, b) => indexes.get(a.run)! - indexes.get(b.run)!);
}

function* repeatedIds<Run extends ReportRun>(
  runs: readonly CheckedRun<Run>[],
): Generator<Finding<Run>> {
  const seen = new Map<number, Run>();
  for (const { run } of runs) {
    const other = seen.get(run.id);
    if (other) {
      const same = JSON.stringify(run) === JSON.stringify(other);
      yield {
        kind: "repeated-id",
        run,
        other,
        message: `Id ${run.id} occurs twice, with ${same ? "the same" : "different"} content`,
      };
    } else seen.set(run.id, run);
  }
}

function* overlaps<Run extends ReportRun>(
  runs: readonly CheckedRun<Run>[],
): Generator<Finding<Run>> {
  let latest: { readonly run: Run; readonly end: number } | undefined;
  for (const { run, start, end } of runs.toReversed()) {
    if (start === undefined) continue;
    if (latest && start < latest.end && latest.run.id !== run.id) {
      const message = `Started before run ${latest.run.id} ended`;
      yield { kind: "overlap", run, other: latest.run, message };
    }
    if (end !== undefined && (!latest || end > latest.end)) latest = { run, end };
  }
}

function* findingsOfEach<Run extends ReportRun>(
  runs: readonly CheckedRun<Run>[],
  now: number,
): Generator<Finding<Run>> {
  const mostMs = stillGoingMs(runs);
  for (const checked of runs) {
    const { run, start } = checked;
    if (start === undefined) {
      const message = run.startTime ? "The start time is not a date and time" : "No start time";
      yield { kind: "no-start", run, message };
    }
    yield* findingsOfEnd(checked, now, mostMs);
    yield* findingsOfRecipients(run);
    yield* findingsOfAttachments(checked);
  }
}

/** How long a run without an end may still be running, judging by the other runs. */
function stillGoingMs(runs: readonly CheckedRun<ReportRun>[]): number {
  const durations = runs.flatMap(({ start, end }) =>
    start === undefined || end === undefined || end < start ? [] : [end - start]
  );
  if (durations.length < MIN_ENDED) return STILL_GOING_MS;
  return Math.max(MIN_STILL_GOING_MS, LONGER * quantile(durations, 0.95)!);
}

function* findingsOfEnd<Run extends ReportRun>(
  { run, start, end }: CheckedRun<Run>,
  now: number,
  mostMs: number,
): Generator<Finding<Run>> {
  if (end === undefined) {
    if (start !== undefined && now - start < mostMs && !run.endTime) return;
    const message = run.endTime ? "The end time is not a date and time" : "No end time";
    yield { kind: "no-end", run, message };
  } else if (start !== undefined && end < start) {
    yield { kind: "end-before-start", run, message: "The end is before the start" };
  }
}

function* findingsOfRecipients<Run extends ReportRun>(run: Run): Generator<Finding<Run>> {
  const { recipients } = run;
  if (!recipients) return;
  const claimed = claimedCount(run);
  if (claimed !== null) {
    const message =
      `The recipient count is ${claimed}, but ${recipients.length} recipients are listed`;
    yield { kind: "recipient-count", run, message };
  }
  // One person at two addresses gets the report at both.
  const repeated = recipients.length < 2 ? 0 : recipients.length -
    new Set(recipients.map((each) => `${recipientKey(each)} ${comparedAddress(each.emailAddress)}`))
      .size;
  if (repeated > 0) {
    const message = `${repeated} recipients are listed more than once`;
    yield { kind: "repeated-recipient", run, message };
  }
}

function* findingsOfAttachments<Run extends ReportRun>(
  { run, isBad }: CheckedRun<Run>,
): Generator<Finding<Run>> {
  const { attachmentCount: count, attachmentSize: size } = run;
  if (typeof count !== "number" || typeof size !== "number") return;
  if (count === 0 && size > 0) {
    const message = "No attachments, but an attachment size above 0";
    yield { kind: "attachment-size", run, message };
  }
  if (count > 0 && size === 0 && !isBad) {
    yield { kind: "attachment-size", run, message: "Attachments, but an attachment size of 0" };
  }
}
