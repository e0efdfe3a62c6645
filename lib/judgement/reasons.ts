/** Finds all reasons why a schedule needs attention. */
import { contentReasons, outlierReasons } from "./content/content_reasons.ts";
import { ENDS_SEEN, type Facts, isOftenEndless, LATELY, MOST_OPEN, reasonOf } from "./facts.ts";
import { byHandReasons, planReasons } from "./plan_reasons.ts";
import type { Reason } from "./reason.ts";
import type { Verdict } from "./verdict.ts";
import type { ReportRun } from "../types.ts";
import { usualDurations } from "../runs/durations.ts";
import { quantile } from "../runs/numbers.ts";
import type { TimedRun } from "../runs/occurrences.ts";
import { timeOf } from "../runs/times.ts";
import { digestsOf } from "../runs/outsiders.ts";
import { recipientKey } from "../runs/recipients.ts";
import { unexpected } from "./decisions.ts";

const SEVERITIES = ["critical", "warning", "info"] as const;

/** Finds every reason, most severe first, then newest. */
export function allReasons(
  facts: Facts,
  durations: Verdict["durations"],
  findings: Verdict["findings"],
): Reason[] {
  const found = findSignificant(facts);
  if (!found.some(({ code }) => code === "slower")) found.push(...outlierReasons(durations));
  found.push(...inconsistentReasons(facts, findings));
  return inOrder(found);
}

/** Finds every reason above mere information, and perhaps others, in the same order. */
export function significantReasons(facts: Facts): Reason[] {
  return inOrder(findSignificant(facts));
}

function findSignificant(facts: Facts): Reason[] {
  return [
    ...planReasons(facts),
    ...failingReasons(facts),
    ...stuckReasons(facts),
    ...byHandReasons(facts),
    ...unknownStatusReasons(facts),
    ...outsideReasons(facts),
    ...leaverReasons(facts),
    ...contentReasons(facts.content, facts.expected.runs),
    ...flakyReasons(facts),
    ...clockReasons(facts),
  ];
}

function inOrder(reasons: Reason[]): Reason[] {
  return reasons.sort((a, b) =>
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    (b.since ?? -Infinity) - (a.since ?? -Infinity) || 0
  );
}

const MINUTE = 60_000;
/** A run without an end is stuck after this many times the 95th percentile. */
const STUCK_FACTOR = 4;
const LEAST_STUCK = 10 * MINUTE;
/** A wrong clock is recent if one of this many newest runs shows it. */
const NEWEST_RUNS = 20;
/** Of this many runs that the schedule started, some failed and others did not. */
const FLAKY_RUNS = 40;
const LEAST_FAILED = 3;

export function* failingReasons({ rows, timed }: Facts): Generator<Reason> {
  if (!rows?.failing) return;
  const { failing: { since, count }, lastGood } = rows;
  const runs = timed.filter(({ time, meaning }) => time >= since && meaning === "bad")
    .map(({ run }) => run);
  yield reasonOf("failing", "critical", since, runs, {
    count,
    reachesBack: lastGood === null,
    lastGood,
  });
}

export function* flakyReasons({ rows, occurrences }: Facts): Generator<Reason> {
  if (!rows || rows.failing !== null || rows.lastGood === null) return;
  const newest = occurrences.planned.slice(-FLAKY_RUNS)
    .map((runs) => runs.find(({ meaning }) => meaning === "bad"));
  const failed = newest.filter((one) => one !== undefined);
  // Failures in a row are an outage that is over.
  const streaks = newest.filter((one, at) => one && !newest[at - 1]).length;
  if (streaks < LEAST_FAILED) return;
  yield reasonOf("flaky", "warning", failed[0].time, failed.map(({ run }) => run), {
    failed: failed.length,
    of: newest.length,
  });
}

/** How long the newest runs took; null if too few have ended to say which run is stuck. */
export function usualTimes(
  timed: readonly TimedRun<ReportRun>[],
): { readonly usualMs: number; readonly stuckAfter: number } | null {
  const known = usualDurations(timed.slice(-ENDS_SEEN)).map(({ ms }) => ms);
  if (known.length < 3) return null;
  const stuckAfter = Math.max(LEAST_STUCK, STUCK_FACTOR * quantile(known, 0.95)!);
  return { usualMs: quantile(known, 0.5)!, stuckAfter };
}

/** The newest runs that go on and have not failed. */
function goingOn({ timed }: Facts): Facts["timed"] {
  return timed.slice(-MOST_OPEN).filter(({ run, meaning }) => !run.endTime && meaning !== "bad");
}

/** When the next unfinished run will be stuck; null if all have ended. */
export function nextStuck(facts: Facts): number | null {
  const going = goingOn(facts);
  const usual = going.length > 0 ? usualTimes(facts.timed) : null;
  if (usual === null) return null;
  const moments = going.map(({ time }) => time + usual.stuckAfter + 1)
    .filter((at) => at > facts.now);
  return moments.length === 0 ? null : Math.min(...moments);
}

/** Runs that go on for much longer than others took. */
export function* stuckReasons(facts: Facts): Generator<Reason> {
  const { timed, now } = facts;
  const going = goingOn(facts).filter(({ time }) => now - time > LEAST_STUCK);
  const usual = going.length > 0 ? usualTimes(timed) : null;
  if (usual === null) return;
  const newest = going.filter(({ time }) => now - time > usual.stuckAfter);
  // If good runs often lack an end, a missing end means nothing.
  const open = newest.filter(({ meaning }) => meaning !== "good");
  const last = timed.at(-1);
  const stuck = open.length > 0 || newest.at(-1) !== last ? open : newest.slice(-1);
  if (stuck.length === 0 || isOftenEndless(timed, ({ run }) => !run.endTime)) return;
  yield reasonOf("stuck", "warning", stuck[0].time, stuck.map(({ run }) => run), {
    newest: stuck.at(-1)!.time,
    openMs: now - stuck[0].time,
    usualMs: usual.usualMs,
  });
}

/** Runs end with a status that is not in the dictionary, and did not before. */
export function* unknownStatusReasons({ rows, timed }: Facts): Generator<Reason> {
  if (!rows?.unknown?.isNew) return;
  const { since, count } = rows.unknown;
  const runs = timed.filter(({ run, time }) => time >= since && run.status).map(({ run }) => run);
  // A run that is still open may have a status for that.
  const ended = runs.filter(({ endTime }) => !!endTime);
  if (ended.length === 0) return;
  yield reasonOf("unknown-status", "warning", since, runs, {
    status: ended.at(-1)!.status!,
    statuses: new Set(ended.map(({ status }) => status!.toLowerCase())).size,
    count,
  });
}

/** Impossible times; those of long ago are only information. */
export function* clockReasons({ impossible, timed, now, skew }: Facts): Generator<Reason> {
  const backwardsOf = (some: typeof timed) => some.filter(({ ms }) => (ms ?? 0) < 0);
  const recent = backwardsOf(timed.slice(-NEWEST_RUNS)).filter(({ time }) => now - time < LATELY);
  const isRecent = recent.length + impossible.length > 0 || skew.since !== null;
  const backwards = isRecent ? recent : backwardsOf(timed);
  if (!isRecent && backwards.length === 0) return;
  const since = skew.since ?? backwards[0]?.time ?? null;
  const runs = [
    ...backwards.map(({ run }) => run),
    ...skew.runs.map((id) => ({ id })),
    ...impossible.filter(({ id }) => !skew.runs.includes(id)),
  ];
  yield reasonOf("clock", isRecent ? "warning" : "info", since, runs, {
    count: runs.length,
    impossibleStarts: impossible.length,
    endsBeforeStart: backwards.length,
    ...(skew.since !== null && { aheadMs: skew.aheadMs }),
  });
}

export function* inconsistentReasons(
  { occurrences, now }: Facts,
  findings: Verdict["findings"],
): Generator<Reason> {
  // Twins and retries overlap, as is to be expected.
  const together = new Set(
    occurrences.planned.flatMap((runs) => runs.slice(1).map(({ run }) => run.id)),
  );
  const reportedOtherwise = new Set(["no-end", "end-before-start"]);
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

export function* outsideReasons(
  { content, expected }: Facts,
): Generator<Reason> {
  const outsiders = unexpected(content.outsiders.outsiders, expected);
  if (outsiders.length === 0) return;
  const starts = outsiders.map(({ since }) => since);
  const runs = [...new Set(outsiders.map(({ run }) => run))].map((id) => ({ id }));
  const resembled = outsiders.find(({ resembles }) => resembles !== undefined);
  yield reasonOf("outside-recipient", "critical", Math.min(...starts), runs, {
    count: outsiders.length,
    newest: Math.max(...starts),
    domains: [...new Set(outsiders.map(({ domain }) => domain))].slice(0, 5).join(", "),
    ...(resembled && { lookAlike: resembled.domain, resembles: resembled.resembles! }),
  });
}

const MOST_NAMED = 20;

/** People who left, and whom the newest successful run still lists. */
export function* leaverReasons(
  { timed, leavers, expected }: Facts,
): Generator<Reason> {
  if (leavers.length === 0) return;
  const leftAt = new Map(
    leavers.flatMap(({ recipient, left }) =>
      digestsOf(recipient).filter((digest) => !expected.digests.has(digest))
        .map((digest) => [digest, left] as const)
    ),
  );
  const leaversOf = ({ run, time }: (typeof timed)[number]) =>
    (run.recipients ?? []).filter((one) =>
      digestsOf(one).some((digest) => time >= (leftAt.get(digest) ?? Infinity))
    );
  const listing = timed.filter(({ run, meaning }) => run.recipients?.length && meaning === "good");
  const before = listing.findLastIndex((one) => leaversOf(one).length === 0);
  const shown = listing.slice(before + 1);
  if (shown.length === 0) return;
  const people = leaversOf(shown.at(-1)!);
  // Since when each of them has been listed after leaving.
  const starts = people.map((person) =>
    shown.find((one) =>
      leaversOf(one).some((other) => recipientKey(other) === recipientKey(person))
    )!.time
  );
  const ids = people.map(({ userId }) => userId).filter((id) => typeof id === "number");
  yield reasonOf("leaver-recipient", "critical", shown[0].time, shown.map(({ run }) => run), {
    count: people.length,
    newest: Math.max(...starts),
    userIds: ids.slice(0, MOST_NAMED).join(", "),
  });
}
