/** Reasons found in what was sent, and how long it took. */
import type { ReportRun } from "../types.ts";
import { quantile } from "../runs/numbers.ts";
import type { TimedRun } from "../runs/occurrences.ts";
import { meaningOf } from "../runs/status.ts";
import { durationOf, timeOf } from "../runs/times.ts";
import { type Facts, LATELY, reasonOf } from "./facts.ts";
import { climbIn } from "./climb.ts";
import { type Measured, shiftIn } from "./level.ts";
import type { Reason } from "./reason.ts";

/** This many earlier runs show what is usual. */
export const RUNS_BEFORE = 30;
/** Fewer tell nothing. */
export const FEWEST_BEFORE = 5;

/** Fewer runs that took long, or a smaller share, are chance. */
const FEWEST_OUTLIERS = 3;
const LEAST_OUTLIERS = 0.01;

/** Runs that count as good, but are empty. */
export function* emptyDeliveryReasons(facts: Facts): Generator<Reason> {
  const runs = facts.timed.filter(({ run }) => meaningOf(run.status, facts.statuses) === "good");
  let first = runs.length;
  let signs: string[] = [];
  while (first > 0 && runs.length - first < RUNS_BEFORE) {
    const found = missingContent(runs, first - 1);
    if (found.length < 2) break;
    signs = found;
    first--;
  }
  // A long series of empty runs changes what is usual, so `signs` are those of its first run.
  if (first === runs.length) return;
  yield reasonOf(
    "empty-delivery",
    "critical",
    runs[first].time,
    runs.slice(first).map(({ run }) => run),
    { count: runs.length - first, gone: signs.join(", ") },
  );
}

type Measure = (one: TimedRun<ReportRun>) => number | null | undefined;

/** The measures of a good run's content. A smaller share of what is usual is far below it. */
const MEASURES: readonly {
  readonly name: string;
  readonly valueOf: Measure;
  readonly far: number;
}[] = [
  { name: "cards", valueOf: ({ run }) => run.cardCount, far: 1 / 8 },
  { name: "attachments", valueOf: ({ run }) => run.attachmentCount, far: 1 / 8 },
  { name: "attachmentSize", valueOf: ({ run }) => run.attachmentSize, far: 1 / 8 },
  { name: "emailSize", valueOf: ({ run }) => run.emailSize, far: 1 / 3 },
  { name: "ms", valueOf: ({ ms }) => ms, far: 1 / 8 },
];

/** What is missing from a run: at least one measure is zero, or three are far below usual. */
function missingContent(runs: readonly TimedRun<ReportRun>[], place: number): string[] {
  const before = runs.slice(Math.max(0, place - 2 * RUNS_BEFORE), place);
  const gone: string[] = [];
  const less: string[] = [];
  for (const { name, valueOf, far } of MEASURES) {
    const value = valueOf(runs[place]);
    if (typeof value !== "number") continue;
    const values = before.map(valueOf).filter((value) => typeof value === "number");
    // The usual value is at most the largest; most runs need not be sorted.
    if (value > 0 && value >= far * Math.max(...values)) continue;
    // A measure is usual only if nearly all earlier runs had it.
    if (values.length < FEWEST_BEFORE || quantile(values, 0.25)! <= 0) continue;
    if (value === 0 && name !== "ms") gone.push(name);
    else if (value < far * quantile(values, 0.5)!) less.push(name);
  }
  return gone.length > 0 || less.length >= 3 ? [...gone, ...less] : [];
}

const SIZES = ["attachmentSize", "emailSize"] as const;

/** Sizes that have changed. The email contains the attachments, so one reason covers both. */
export function* sizeReasons(facts: Facts, emptySince: number): Generator<Reason> {
  const { now } = facts;
  const without: (typeof SIZES)[number][] = [];
  for (const field of SIZES) {
    const shift = shiftIn(sizesOf(facts, field));
    if (shift === null) {
      without.push(field);
      continue;
    }
    // If the attachments changed long ago, the email did for the same reason.
    if (without.some((other) => facts[other]?.jump)) return;
    if (shift.since < emptySince) {
      const isRecent = now - shift.since < LATELY || shift.runs.length <= 2;
      yield reasonOf("size-jump", isRecent ? "warning" : "info", shift.since, shift.runs, {
        field,
        before: shift.before,
        after: shift.after,
        factor: shift.after / shift.before,
      });
      return;
    }
  }
}

/** Sizes that changed long ago, if none has changed now. */
export function* formerSizeReasons(facts: Facts): Generator<Reason> {
  for (const field of SIZES) {
    const measured = sizesOf(facts, field);
    if (shiftIn(measured) !== null) continue;
    const { jump } = facts[field] ?? {};
    if (jump && isClear(measured, jump)) {
      yield reasonOf("size-jump", "info", timeOf(jump.run.startTime) ?? null, [jump.run], {
        field,
        before: jump.before,
        after: jump.after,
        factor: jump.after / jump.before,
      });
    }
    if (jump) return;
  }
}

/** Whether a jump is larger than the usual variation. */
function isClear(
  measured: readonly Measured[],
  { run, before, after }: {
    readonly run: ReportRun;
    readonly before: number;
    readonly after: number;
  },
): boolean {
  if (measured.length < 20 || before <= 0 || after <= 0) return false;
  const place = measured.findIndex((one) => one.run === run);
  const rest = measured.map(({ value }, at) =>
    Math.abs(Math.log(value / (at < place ? before : after)))
  );
  return Math.abs(Math.log(after / before)) > Math.max(Math.log(2), 4 * quantile(rest, 0.5)!);
}

/** Runs that have become slower, gradually or at once. */
export function* slowerReasons(facts: Facts): Generator<Reason> {
  const measured = usualDurationsOf(facts);
  const climb = climbIn(measured);
  if (climb) {
    yield reasonOf("slower", "warning", climb.since, [], {
      before: climb.before,
      after: climb.after,
      factor: climb.after / climb.before,
      slowly: true,
    });
    return;
  }
  const shift = shiftIn(measured);
  if (shift === null || shift.after <= shift.before) return;
  const isRecent = facts.now - shift.since < LATELY;
  yield reasonOf("slower", isRecent ? "warning" : "info", shift.since, shift.runs, {
    before: shift.before,
    after: shift.after,
    factor: shift.after / shift.before,
  });
}

/** Single runs that took long, unless all have become slower. */
export function* outlierReasons(facts: Facts): Generator<Reason> {
  const { durations: { p50, count, outliers: unusual } } = facts;
  const outliers = unusual.filter((run) => durationOf(run)! > (p50 ?? 0));
  if (outliers.length < Math.max(FEWEST_OUTLIERS, count * LEAST_OUTLIERS) || p50 === null) return;
  const newest = outliers.map((run) => ({ run, time: timeOf(run.startTime) ?? 0 }))
    .sort((a, b) => a.time - b.time);
  yield reasonOf("slower", "info", newest[0].time, newest.map(({ run }) => run), {
    outliers: outliers.length,
    of: count,
    usualMs: p50,
    longestMs: Math.max(...outliers.map((run) => durationOf(run)!)),
  });
}

function usualDurationsOf({ timed, statuses }: Facts): Measured[] {
  return measuredOf(
    timed,
    ({ run, ms }) =>
      ms !== undefined && ms >= 1000 && meaningOf(run.status, statuses) === "good" ? ms : null,
  );
}

function sizesOf({ timed, open, statuses }: Facts, field: (typeof SIZES)[number]): Measured[] {
  return measuredOf(timed, ({ run }) => {
    const size = run[field];
    if (typeof size !== "number" || size <= 0 || open.includes(run)) return null;
    return meaningOf(run.status, statuses) === "bad" ? null : size;
  });
}

function measuredOf(
  timed: Facts["timed"],
  valueOf: (run: TimedRun<ReportRun>) => number | null,
): Measured[] {
  const measured: Measured[] = [];
  for (const one of timed) {
    const value = valueOf(one);
    if (value !== null) measured.push({ run: one.run, time: one.time, value });
  }
  return measured;
}
