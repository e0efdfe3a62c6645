/** Finds reasons in the content, the durations and the numbers of recipients of runs. */
import { durationOf, timeOf } from "../../runs/times.ts";
import { reasonOf } from "../facts.ts";
import type { Reason } from "../reason.ts";
import type { Verdict } from "../verdict.ts";
import { CONTENT_FIELDS, type ContentMemory, SIZE_FIELDS } from "./content.ts";
import type { LevelChange } from "./level_memory.ts";
import type { EmptyStreak } from "./zeros.ts";

/** If fewer runs or a smaller share took long, that may be chance. */
const MIN_OUTLIERS = 3;
const MIN_OUTLIER_SHARE = 0.01;
/** A report whose size fell by this much, in log2, is almost empty. */
const ALMOST_EMPTY = -Math.log2(50);

/** Finds missing content, changes, and fewer recipients; expected ones are only information. */
export function* contentReasons(
  memory: ContentMemory,
  expected: ReadonlySet<number> = new Set(),
): Generator<Reason> {
  const found = [
    ...emptyReasons(memory),
    ...recipientCountReasons(memory),
    ...sizeReasons(memory),
    ...durationReasons(memory),
  ];
  for (const reason of found) {
    const isExpected = expected.has(Number(reason.evidence.first));
    yield isExpected
      ? { ...reason, severity: "info", evidence: { ...reason.evidence, usual: true } }
      : reason;
  }
}

function* emptyReasons({ zeros, levels }: ContentMemory): Generator<Reason> {
  const empty = CONTENT_FIELDS.flatMap((field) => {
    const { streak } = zeros[field];
    return streak?.isReported ? [{ field, streak }] : [];
  });
  if (empty.length > 0) {
    const first = empty.reduce((a, b) => a.streak.since <= b.streak.since ? a : b).streak;
    yield emptyReason("empty-delivery", first, {
      count: Math.max(...empty.map(({ streak }) => streak.count)),
      gone: empty.map(({ field }) => field).join(", "),
    });
    return;
  }
  for (const field of SIZE_FIELDS) {
    const { change } = levels[field];
    if (!change || !isNewlyEmpty(change)) continue;
    yield changeReason("empty-delivery", change, { field, count: change.count });
    return;
  }
}

function* recipientCountReasons({ zeros, recipients: { drop } }: ContentMemory): Generator<Reason> {
  const { streak } = zeros.recipients;
  if (streak?.isReported) yield emptyReason("sent-to-nobody", streak, { count: streak.count });
  else if (drop) {
    const { run, since, before, after, count, runs, isUsual } = drop;
    const evidence = { first: run, before, after, count, usual: isUsual };
    yield reasonFrom("recipients-dropped", isUsual, since, runs, evidence);
  }
}

/** An email contains the attachments, so one reason covers both. */
function* sizeReasons({ levels }: ContentMemory): Generator<Reason> {
  const field = SIZE_FIELDS.find((field) => levels[field].change !== null);
  const change = field && levels[field].change;
  if (!change || isNewlyEmpty(change)) return;
  yield changeReason("size-jump", change, { field, count: change.count });
}

/** Runs that take longer. Shorter ones harm nobody. */
function* durationReasons({ levels: { duration: { change } } }: ContentMemory): Generator<Reason> {
  if (!change || change.after <= change.before) return;
  yield changeReason("slower", change, { count: change.count, slowly: change.isSlow });
}

/** Single runs that took long. */
export function* outlierReasons(
  { p50, count, outliers: unusual }: Verdict["durations"],
): Generator<Reason> {
  if (p50 === null) return;
  const outliers = unusual.filter((run) => durationOf(run)! > p50).reverse();
  if (outliers.length < Math.max(MIN_OUTLIERS, count * MIN_OUTLIER_SHARE)) return;
  yield reasonOf("slower", "info", timeOf(outliers[0].startTime)!, outliers, {
    outliers: outliers.length,
    of: count,
    usualMs: p50,
    longestMs: Math.max(...outliers.map((run) => durationOf(run)!)),
  });
}

/** Whether a report is almost empty, and was not so for long. */
function isNewlyEmpty({ before, after, isUsual }: LevelChange): boolean {
  return !isUsual && after - before < ALMOST_EMPTY;
}

function emptyReason(
  code: Reason["code"],
  { run, since, runs }: EmptyStreak,
  evidence: Reason["evidence"],
): Reason {
  return reasonOf(code, "critical", since, runs.map((id) => ({ id })), { first: run, ...evidence });
}

function changeReason(
  code: Reason["code"],
  { run, since, before, after, runs, isUsual }: LevelChange,
  evidence: Reason["evidence"],
): Reason {
  const numbers = { before: 2 ** before, after: 2 ** after, factor: 2 ** (after - before) };
  const shown = { first: run, ...evidence, ...numbers, usual: isUsual };
  return reasonFrom(code, isUsual, since, runs, shown);
}

/** Makes the reason for a changed level; one that is usual by now is only information. */
function reasonFrom(
  code: Reason["code"],
  isUsual: boolean,
  since: number,
  runs: readonly number[],
  evidence: Reason["evidence"],
): Reason {
  const severity = isUsual ? "info" : code === "empty-delivery" ? "critical" : "warning";
  return reasonOf(code, severity, since, runs.map((id) => ({ id })), evidence);
}
