/** Reasons found in the status and the times of runs. */
import type { ReportRun } from "../types.ts";
import { type Durations, usualDurations } from "../runs/durations.ts";
import { quantile } from "../runs/numbers.ts";
import { meaningOf } from "../runs/status.ts";
import { timeOf } from "../runs/times.ts";
import { type Facts, isOftenEndless, LATELY, MOST_OPEN, reasonOf } from "./facts.ts";
import type { Reason } from "./reason.ts";

const MINUTE = 60_000;
/** A run without an end is stuck after this many times the 95th percentile. */
const STUCK_FACTOR = 4;
const LEAST_STUCK = 10 * MINUTE;
/** Of this many runs that the schedule started, some failed and others did not. */
const FLAKY_RUNS = 40;
const LEAST_FAILED = 3;

export function* failingReasons({ health, timed, statuses }: Facts): Generator<Reason> {
  const { streak, lastGood } = health;
  if (streak?.meaning !== "bad") return;
  const since = timeOf(streak.first.startTime) ?? null;
  const runs = timed.filter(({ run, time }) =>
    time >= (since ?? 0) && meaningOf(run.status, statuses) === "bad"
  ).map(({ run }) => run);
  yield reasonOf("failing", "critical", since, runs, {
    count: streak.count,
    reachesBack: streak.reachesBack,
    lastGood: timeOf(lastGood?.startTime) ?? null,
  });
}

/** Some runs fail now and then. */
export function* flakyReasons({ health, occurrences, statuses }: Facts): Generator<Reason> {
  if (health.streak?.meaning !== "good") return;
  const newest = occurrences.planned.slice(-FLAKY_RUNS);
  const failed = newest.flatMap(({ runs }) =>
    runs.filter(({ status }) => meaningOf(status, statuses) === "bad").slice(0, 1)
  );
  if (failed.length < LEAST_FAILED) return;
  // Failures in a row are an outage that is over.
  const places = newest.flatMap(({ runs }, at) =>
    runs.some(({ status }) => meaningOf(status, statuses) === "bad") ? [at] : []
  );
  const rows = places.filter((place, at) => at === 0 || place !== places[at - 1] + 1).length;
  if (rows < LEAST_FAILED) return;
  yield reasonOf("flaky", "warning", timeOf(failed[0].startTime) ?? null, failed, {
    failed: failed.length,
    of: newest.length,
  });
}

/** After how many milliseconds a run without an end is stuck; null if too few have ended. */
export function stuckAfter(
  { p95, count }: Pick<Durations<ReportRun>, "p95" | "count">,
): number | null {
  return p95 === null || count < 3 ? null : Math.max(LEAST_STUCK, STUCK_FACTOR * p95);
}

/** When the next run that goes on will be stuck; null if none does. */
export function nextStuck(facts: Facts): number | null {
  const { timed, statuses, now } = facts;
  const going = timed.slice(-MOST_OPEN).filter(({ run }) =>
    !run.endTime && meaningOf(run.status, statuses) !== "bad"
  );
  if (going.length === 0) return null;
  const known = usualDurations(timed, statuses).map(({ ms }) => ms);
  const limit = stuckAfter({ p95: quantile(known, 0.95) ?? null, count: known.length });
  if (limit === null) return null;
  const moments = going.map(({ time }) => time + limit + 1).filter((at) => at > now);
  return moments.length === 0 ? null : Math.min(...moments);
}

/** Runs that go on for much longer than others took. */
export function* stuckReasons(facts: Facts): Generator<Reason> {
  const { timed, statuses, now } = facts;
  const isLong = ({ run, time }: (typeof timed)[number]) =>
    !run.endTime && now - time > LEAST_STUCK;
  // Most newest runs have ended: then durations need not be measured.
  if (!timed.slice(-MOST_OPEN).some(isLong)) return;
  const { durations } = facts;
  const limit = stuckAfter(durations);
  if (limit === null) return;
  const newest = timed.slice(-MOST_OPEN).filter(({ run, time }) =>
    !run.endTime && now - time > limit && meaningOf(run.status, statuses) !== "bad"
  );
  // If good runs often lack an end, a missing end means nothing.
  const open = newest.filter(({ run }) => meaningOf(run.status, statuses) !== "good");
  const last = timed.at(-1);
  const stuck = open.length > 0 || newest.at(-1) !== last ? open : newest.slice(-1);
  if (stuck.length === 0 || isOftenEndless(timed, ({ endTime }) => !endTime)) return;
  yield reasonOf("stuck", "warning", stuck[0].time, stuck.map(({ run }) => run), {
    newest: stuck.at(-1)!.time,
    openMs: now - stuck[0].time,
    usualMs: durations.p50,
  });
}

/** Runs end with a status that is not in the dictionary, and did not before. */
export function* unknownStatusReasons({ timed, statuses }: Facts): Generator<Reason> {
  const isUnknown = ({ status }: ReportRun) =>
    !!status && !Object.hasOwn(statuses, status.toLowerCase());
  let end = timed.length;
  // How runs end that have only just started is not known.
  while (end > 0 && !timed[end - 1].run.status && !timed[end - 1].run.endTime) end--;
  let first = end;
  while (first > 0 && isUnknown(timed[first - 1].run)) first--;
  const runs = timed.slice(first, end).map(({ run }) => run);
  // A run that is still open may have a status for that.
  const ended = runs.filter(({ endTime }) => !!endTime);
  const before = timed.slice(0, first);
  if (ended.length === 0 || before.length < 3) return;
  const seen =
    before.filter(({ run }) => run.status?.toLowerCase() === ended.at(-1)!.status!.toLowerCase())
      .length;
  if (seen > before.length / 20) return;
  yield reasonOf("unknown-status", "warning", timed[first].time, runs, {
    status: ended.at(-1)!.status!,
    statuses: new Set(ended.map(({ status }) => status!.toLowerCase())).size,
    count: runs.length,
  });
}

/** Impossible times. */
export function* clockReasons({ impossible, timed, now }: Facts): Generator<Reason> {
  const backwards = timed.filter(({ ms }) => (ms ?? 0) < 0).map(({ run }) => run);
  const count = impossible.length + backwards.length;
  if (count === 0) return;
  const since = backwards.length > 0 ? timeOf(backwards[0].startTime) ?? null : null;
  const isRecent = backwards.some(({ startTime }) => now - timeOf(startTime)! < LATELY) ||
    impossible.length > 0;
  yield reasonOf("clock", isRecent ? "warning" : "info", since, [...backwards, ...impossible], {
    count,
    impossibleStarts: impossible.length,
    endsBeforeStart: backwards.length,
  });
}

/** Recent inconsistencies, as one reason. */
export function* inconsistentReasons({ findings, occurrences, now }: Facts): Generator<Reason> {
  // Twins and retries overlap, as is to be expected.
  const together = new Set(
    occurrences.planned.flatMap(({ runs }) => runs.slice(1).map(({ id }) => id)),
  );
  const reportedOtherwise = new Set([
    "no-end",
    "end-before-start",
    "size-jump",
    "no-recipients",
    "no-attachments",
  ]);
  const found = findings.filter(({ kind, run }) =>
    !reportedOtherwise.has(kind) && !(kind === "overlap" && together.has(run.id)) &&
    now - (timeOf(run.startTime) ?? now) < LATELY
  );
  if (found.length === 0) return;
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  const runs = [...new Set(found.map(({ run }) => run))].reverse();
  yield reasonOf("inconsistent", "info", timeOf(runs[0].startTime) ?? null, runs, {
    count: found.length,
    kinds: kinds.join(", "),
  });
}
