/** Inconsistencies in runs. */
import type { ReportRun } from "../types.ts";
import { quantile } from "./numbers.ts";
import { recipientKey } from "./recipients.ts";
import { meaningOf, type StatusDictionary } from "./status.ts";
import { newestFirst, timeOf } from "./times.ts";

/** An inconsistency. */
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
  /** What was found, in a sentence without its full stop. */
  readonly message: string;
}

export type FindingKind = Finding<unknown>["kind"];

/** A run, with values that are needed often. */
interface CheckedRun<Run> {
  readonly run: Run;
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly isBad: boolean;
}

const MINUTE = 60_000;
/** A run without an end may still be running for this long, if too few have ended. */
const STILL_GOING_MS = 24 * 60 * MINUTE;
const FEWEST_ENDED = 3;
/** Otherwise for this many times as long as nearly all runs take, and for this long at least. */
const LONGER = 4;
const LEAST_STILL_GOING_MS = 10 * MINUTE;

/** Looks for inconsistencies in runs, which are in any order; newest run first. */
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
  const places = new Map(checked.map(({ run }, place) => [run, place]));
  return found.sort((a, b) => places.get(a.run)! - places.get(b.run)!);
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
  for (let place = runs.length - 1; place >= 0; place--) {
    const { run, start, end } = runs[place];
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
  for (const one of runs) {
    const message = wrongStart(one);
    if (message) yield { kind: "no-start", run: one.run, message };
    yield* findingsOfEnd(one, now, mostMs);
    yield* findingsOfRecipients(one.run);
    yield* findingsOfAttachments(one);
  }
}

/** For how long a run without an end may still be running, going by the others. */
function stillGoingMs(runs: readonly CheckedRun<ReportRun>[]): number {
  const took = runs.flatMap(({ start, end }) =>
    start === undefined || end === undefined || end < start ? [] : [end - start]
  );
  if (took.length < FEWEST_ENDED) return STILL_GOING_MS;
  return Math.max(LEAST_STILL_GOING_MS, LONGER * quantile(took, 0.95)!);
}

function wrongStart({ run, start }: CheckedRun<ReportRun>): string | null {
  if (start !== undefined) return null;
  return run.startTime ? "The start time is not a date and time" : "No start time";
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
  const { recipientCount, recipients } = run;
  if (!recipients) return;
  if (typeof recipientCount === "number" && recipientCount !== recipients.length) {
    const message =
      `The recipient count is ${recipientCount}, but ${recipients.length} recipients are listed`;
    yield { kind: "recipient-count", run, message };
  }
  // One person at two addresses gets the report at both.
  const repeated = recipients.length < 2 ? 0 : recipients.length -
    new Set(recipients.map((one) => `${recipientKey(one)} ${one.emailAddress?.toLowerCase()}`))
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
    yield {
      kind: "attachment-size",
      run,
      message: "No attachments, but an attachment size above 0",
    };
  }
  if (count > 0 && size === 0 && !isBad) {
    yield { kind: "attachment-size", run, message: "Attachments, but an attachment size of 0" };
  }
}
