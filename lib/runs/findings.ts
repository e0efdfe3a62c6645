/** Inconsistencies in runs. */
import type { ReportRun } from "../types.ts";
import { quantile } from "./numbers.ts";
import { recipientKey } from "./recipients.ts";
import { addTo, quantileOfSorted, takeFrom } from "./sorted.ts";
import { meaningOf, type StatusDictionary } from "./status.ts";
import { newestFirst, timeOf } from "./times.ts";

/** The kinds of inconsistencies. */
export type FindingKind =
  | "repeated-id"
  | "no-start"
  | "no-end"
  | "end-before-start"
  | "overlap"
  | "recipient-count"
  | "repeated-recipient"
  | "no-recipients"
  | "no-attachments"
  | "attachment-size"
  | "size-jump";

/** An inconsistency. */
export interface Finding<Run> {
  /** Its kind. */
  readonly kind: FindingKind;
  /** The run that has it. */
  readonly run: Run;
  /** The run that it was compared with, if any. */
  readonly other?: Run;
  /** What was found, in a sentence without its full stop. */
  readonly message: string;
}

/** A run without an end may still be running for this long. */
const STILL_GOING_MS = 24 * 60 * 60 * 1000;
/** A size that differs from another by this factor is a jump. */
const JUMP_FACTOR = 3;
/** A size is compared with the median of this many earlier runs. */
const RUNS_BEFORE = 7;

/**
 * Looks for inconsistencies in runs: repeated ids, times that are missing or impossible, recipients
 * and attachments that don't agree with their counts, and sizes that jump.
 *
 * Missing fields are not judged; only a missing time is a finding of its own.
 *
 * @param runs The runs, in any order, including repeated ids.
 * @param options What each status means, and the current time in milliseconds since 1970.
 * @returns The findings, newest run first.
 *
 * @example
 * ```ts
 * import { checkRuns, defaultStatusDictionary } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const findings = checkRuns([{
 *   id: 1,
 *   startTime: "2026-01-01T06:00:00Z",
 *   endTime: "2026-01-01T05:59:00Z",
 *   recipientCount: 2,
 *   recipients: [{ userId: 7 }],
 * }], { dictionary: defaultStatusDictionary(), now: Date.UTC(2026, 0, 2) });
 * assertEquals(findings.map(({ kind }) => kind), ["end-before-start", "recipient-count"]);
 * ```
 */
export function checkRuns<Run extends ReportRun>(
  runs: readonly Run[],
  { dictionary, now }: { readonly dictionary: StatusDictionary; readonly now: number },
): Finding<Run>[] {
  const steps = checkInSteps(runs, { dictionary, now });
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** This many runs are checked in one step. */
const STEP = 1000;

/** The same in steps of a few milliseconds, so that others can use the thread between them. */
export function* checkInSteps<Run extends ReportRun>(
  runs: readonly Run[],
  { dictionary, now }: { readonly dictionary: StatusDictionary; readonly now: number },
): Generator<null, Finding<Run>[]> {
  const inOrder = newestFirst(runs);
  yield null;
  const placed = inOrder.map((run) => ({
    run,
    start: timeOf(run.startTime),
    end: timeOf(run.endTime),
    isBad: meaningOf(run.status, dictionary) === "bad",
  }));
  yield null;
  const found = [...repeatedIds(placed)];
  for (let from = 0; from < placed.length; from += STEP) {
    for (const one of faultsOfEach(placed.slice(from, from + STEP), now)) found.push(one);
    yield null;
  }
  for (const check of [overlaps, missingAttachments, sizeJumps]) {
    for (const one of check(placed)) found.push(one);
    yield null;
  }
  if (found.length < 2) return found;
  const places = new Map(placed.map(({ run }, place) => [run, place]));
  return found.sort((a, b) => places.get(a.run)! - places.get(b.run)!);
}

/** A run, with values that are needed often. */
interface Placed<Run> {
  readonly run: Run;
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly isBad: boolean;
}

function* repeatedIds<Run extends ReportRun>(
  placed: readonly Placed<Run>[],
): Generator<Finding<Run>> {
  const seen = new Map<number, Run>();
  for (const { run } of placed) {
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

function* faultsOfEach<Run extends ReportRun>(
  placed: readonly Placed<Run>[],
  now: number,
): Generator<Finding<Run>> {
  for (const one of placed) {
    const message = faultOfStart(one);
    if (message) yield { kind: "no-start", run: one.run, message };
    yield* faultsOfEnd(one, now);
    yield* faultsOfRecipients(one.run);
    yield* faultsOfAttachments(one);
  }
}

function faultOfStart({ run, start }: Placed<ReportRun>): string | null {
  if (start !== undefined) return null;
  return run.startTime ? "The start time is not a date and time" : "No start time";
}

function* faultsOfEnd<Run extends ReportRun>(
  { run, start, end }: Placed<Run>,
  now: number,
): Generator<Finding<Run>> {
  if (end === undefined) {
    if (start !== undefined && now - start < STILL_GOING_MS && !run.endTime) return;
    const message = run.endTime ? "The end time is not a date and time" : "No end time";
    yield { kind: "no-end", run, message };
  } else if (start !== undefined && end < start) {
    yield { kind: "end-before-start", run, message: "The end is before the start" };
  }
}

function* faultsOfRecipients<Run extends ReportRun>(run: Run): Generator<Finding<Run>> {
  const { recipientCount, recipients } = run;
  if (!recipients) return;
  if (typeof recipientCount === "number" && recipientCount !== recipients.length) {
    const message =
      `The recipient count is ${recipientCount}, but ${recipients.length} recipients are listed`;
    yield { kind: "recipient-count", run, message };
  } else if (recipients.length === 0) {
    yield { kind: "no-recipients", run, message: "No recipients are listed" };
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

function* faultsOfAttachments<Run extends ReportRun>(
  { run, isBad }: Placed<Run>,
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

function* overlaps<Run extends ReportRun>(
  placed: readonly Placed<Run>[],
): Generator<Finding<Run>> {
  let latest: { readonly run: Run; readonly end: number } | undefined;
  for (let place = placed.length - 1; place >= 0; place--) {
    const { run, start, end } = placed[place];
    if (start === undefined) continue;
    if (latest && start < latest.end && latest.run.id !== run.id) {
      const message = `Started before run ${latest.run.id} ended`;
      yield { kind: "overlap", run, other: latest.run, message };
    }
    if (end !== undefined && (!latest || end > latest.end)) latest = { run, end };
  }
}

/** Runs that did not fail and have no attachments, although nearly all others have some. */
function* missingAttachments<Run extends ReportRun>(
  placed: readonly Placed<Run>[],
): Generator<Finding<Run>> {
  const known = placed.filter(({ run, isBad }) => typeof run.attachmentCount === "number" && !isBad)
    .map(({ run }) => run);
  const without = known.filter(({ attachmentCount }) => attachmentCount === 0);
  if (without.length === 0 || without.length * 5 > known.length) return;
  const usual = quantile(known.map(({ attachmentCount }) => attachmentCount!), 0.5);
  for (const run of without) {
    yield {
      kind: "no-attachments",
      run,
      message: `No attachments; usually ${usual}`,
    };
  }
}

function* sizeJumps<Run extends ReportRun>(
  placed: readonly Placed<Run>[],
): Generator<Finding<Run>> {
  for (
    const [field, words] of [
      ["attachmentSize", "Attachments"],
      ["emailSize", "Email"],
    ] as const
  ) {
    const known: Run[] = [];
    /** The sizes of the earlier runs, sorted. */
    const before: number[] = [];
    for (let place = placed.length - 1; place >= 0; place--) {
      const { run, start, isBad } = placed[place];
      const size = run[field] ?? 0;
      if (size <= 0 || start === undefined || isBad) continue;
      const previous = known.at(-1);
      if (before.length === RUNS_BEFORE) {
        const usual = quantileOfSorted(before, 0.5);
        const factor = size / usual;
        // Reported only at the jump, not for each run until the median has caught up.
        const factorBefore = previous![field]! / usual;
        if (isJump(factor) && !(isJump(factorBefore) && (factor > 1) === (factorBefore > 1))) {
          const times = factor > 1
            ? `${factor.toFixed(1)} times as large as`
            : `${(1 / factor).toFixed(1)} times smaller than`;
          yield {
            kind: "size-jump",
            run,
            other: previous!,
            message: `${words} ${times} usual in the ${RUNS_BEFORE} runs before`,
          };
        }
        takeFrom(before, known[known.length - RUNS_BEFORE][field]!);
      }
      addTo(before, size);
      known.push(run);
    }
  }
}

function isJump(factor: number): boolean {
  return factor >= JUMP_FACTOR || factor <= 1 / JUMP_FACTOR;
}
