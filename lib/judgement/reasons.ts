/** Finds all reasons why a schedule needs attention. */
import { groupBy } from "../group_by.ts";
import { usualDurations } from "../runs/durations.ts";
import type { TimedRun } from "../runs/occurrences.ts";
import { digestsOf } from "../runs/outsiders.ts";
import { quantile } from "../runs/quantiles.ts";
import { peopleAmong } from "../runs/recipients.ts";
import { statusWord } from "../runs/status.ts";
import { MINUTE } from "../time_units.ts";
import type { ReportRun } from "../types.ts";
import { ENDS_SEEN, type Facts, LATELY } from "./facts.ts";
import { type Reason, shownBy } from "./reason.ts";
import { sentTwiceReasons } from "./sent_twice.ts";
import { type JudgedSlot, slotAt } from "./slots.ts";

const SEVERITIES = ["critical", "warning", "info"] as const;

/** Finds every reason, most severe first, then newest. */
export function allReasons(facts: Facts): Reason[] {
  return [
    ...planReasons(facts),
    ...failingReasons(facts),
    ...stuckReasons(facts),
    ...byHandReasons(facts),
    ...unknownStatusReasons(facts),
    ...outsideReasons(facts),
    ...leaverReasons(facts),
    ...contentReasons(facts),
    ...sentTwiceReasons(facts),
    ...flakyReasons(facts),
    ...clockReasons(facts),
  ].sort((a, b) =>
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    (b.since ?? -Infinity) - (a.since ?? -Infinity)
  );
}

/** A run without an end is stuck after this many times the 95th percentile of durations. */
const STUCK_FACTOR = 4;
const MIN_STUCK = 10 * MINUTE;
/** A schedule is flaky if there were this many outages in this many newest starts. */
const FLAKY_OUTAGES = 3;
const FLAKY_RUNS = 40;

function* failingReasons({ timed }: Facts): Generator<Reason> {
  const last = timed.findLastIndex(({ meaning }) => meaning === "good");
  const failing = timed.slice(last + 1).filter(({ meaning }) => meaning === "bad");
  if (failing.length === 0) return;
  const shown = shownBy(failing, `${failing[0].run.id}`);
  const lastGood = timed[last]?.time ?? null;
  yield { code: "failing", severity: "critical", ...shown, count: failing.length, lastGood };
}

/** Missing content, new levels and fewer recipients, unless people expect them. */
function contentReasons({ content, expected }: Facts): Reason[] {
  return [...content.reasons()].filter(({ first }) => !expected.runs.has(first));
}

function* flakyReasons({ timed, occurrences, open }: Facts): Generator<Reason> {
  if (timed.findLast(isKnown)?.meaning !== "good") return;
  // A run that has just started and may fail again pushes no outage out.
  const newest = occurrences.planned.filter((runs) => !runs.every((run) => open.includes(run)))
    .slice(-FLAKY_RUNS).map((runs) => runs.find(({ meaning }) => meaning === "bad"));
  const failed = newest.filter((failure) => failure !== undefined);
  // Consecutive failures count once: they are an outage that is over.
  const outages = newest.filter((failure, at) => failure && !newest[at - 1]).length;
  if (outages < FLAKY_OUTAGES) return;
  const rerun = failed.filter((failure) => {
    const next = timed[timed.indexOf(failure) + 1];
    return next?.run.automated === false && next.meaning === "good";
  }).length;
  const counts = { failed: failed.length, of: newest.length, rerun };
  yield { code: "flaky", severity: "warning", ...shownBy(failed), ...counts };
}

/** When each open run is stuck, and how long runs usually take; none if few have ended. */
function stuckMoments({ timed, open }: Facts) {
  const known = usualDurations(timed.slice(-ENDS_SEEN)).map(({ ms }) => ms);
  if (known.length < 3) return [];
  const [usualMs, slow] = [0.5, 0.95].map((part) => quantile(known, part)!);
  const stuckAfter = Math.round(Math.max(MIN_STUCK, STUCK_FACTOR * slow));
  return open.map((run) => ({ run, at: run.time + stuckAfter + 1, usualMs }));
}

/** When the next open run will be stuck; null if none will be. */
export function nextStuck(facts: Facts): number | null {
  const moments = stuckMoments(facts).map(({ at }) => at).filter((at) => at > facts.now);
  return moments.length === 0 ? null : Math.min(...moments);
}

function* stuckReasons(facts: Facts): Generator<Reason> {
  for (const { run, at, usualMs } of stuckMoments(facts)) {
    if (at > facts.now) continue;
    const shown = shownBy([run], `${run.run.id}`);
    yield { code: "stuck", severity: "warning", ...shown, usualMs };
  }
}

/** The newest runs that are over, if nobody knows how they ended. */
function* unknownStatusReasons({ timed, open }: Facts): Generator<Reason> {
  const unknown = timed.slice(timed.findLastIndex(isKnown) + 1).filter((run) =>
    !open.includes(run)
  );
  if (unknown.length === 0) return;
  const statuses = unknown.map(({ run }) => run.status ?? "");
  yield {
    code: "unknown-status",
    severity: "warning",
    ...shownBy(unknown),
    status: statuses.at(-1)!,
    statuses: [...new Map(statuses.map((status) => [statusWord(status), status])).values()],
    count: statuses.length,
    of: null,
  };
}

function isKnown({ meaning }: TimedRun<ReportRun>): boolean {
  return meaning === "good" || meaning === "bad";
}

/** Impossible times; if none is recent, they are only information. */
function* clockReasons({ impossible, timed, now }: Facts): Generator<Reason> {
  const backwards = timed.filter(({ ms }) => (ms ?? 0) < 0);
  const recent = backwards.filter(({ time }) => now - time < LATELY);
  const isRecent = recent.length + impossible.length > 0;
  const shown = isRecent ? recent : backwards;
  const runs = [...shown, ...impossible.map((run) => ({ run, time: NaN }))];
  if (runs.length === 0) return;
  yield {
    code: "clock",
    severity: isRecent ? "warning" : "info",
    ...shownBy(runs),
    since: shown[0]?.time ?? null,
    offsetMs: 0,
    impossibleStarts: impossible.length,
    endsBeforeStart: shown.length,
  };
}

/** Further domains are one reason together. */
const MAX_DOMAINS = 20;

function* outsideReasons({ outsiders }: Facts): Generator<Reason> {
  const domains = [...new Set(outsiders.map(({ domain }) => domain))];
  const named = domains.length > MAX_DOMAINS ? domains.slice(0, MAX_DOMAINS - 1) : domains;
  const others = `${domains.length - named.length} more domains`;
  const place = ({ domain }: typeof outsiders[number]) => named.includes(domain) ? domain : others;
  for (const [domain, people] of groupBy(outsiders, place)) {
    const starts = people.map(({ since }) => since);
    const runs = new Map(people.map(({ run, since }) => [run, { run: { id: run }, time: since }]));
    yield {
      code: "outside-recipient",
      severity: "critical",
      ...shownBy([...runs.values()], named.includes(domain) ? domain : ""),
      since: Math.min(...starts),
      domain,
      count: people.length,
      newest: Math.max(...starts),
      resembles: people.find(({ resembles }) => resembles !== undefined)?.resembles ?? null,
    };
  }
}

/** People who left, but whom the newest successful run still lists. */
function* leaverReasons({ timed, leavers, expected }: Facts): Generator<Reason> {
  if (leavers.length === 0) return;
  const leftAt = new Map(
    leavers.flatMap(({ recipient, left }) =>
      digestsOf(recipient).filter((digest) => !expected.digests.has(digest))
        .map((digest) => [digest, left] as const)
    ),
  );
  const sent = timed.filter(({ run, meaning }) => run.recipients && meaning === "good");
  const identify = peopleAmong(sent.map(({ run }) => run.recipients));
  const findLeavers = ({ run, time }: (typeof timed)[number]) =>
    (run.recipients ?? []).filter((recipient) =>
      digestsOf({ ...recipient, userId: identify(recipient).userId })
        .some((digest) => time >= (leftAt.get(digest) ?? Infinity))
    ).map((person) => identify(person).key);
  const shown: TimedRun<ReportRun>[] = [];
  // When each of them was first listed after leaving.
  const firstListed = new Map<string, number>();
  let people: ReadonlySet<string> = new Set();
  for (const timedRun of sent.toReversed()) {
    const keys = findLeavers(timedRun);
    if (keys.length === 0) break;
    if (shown.length === 0) people = new Set(keys);
    shown.push(timedRun);
    for (const key of keys) firstListed.set(key, timedRun.time);
  }
  if (shown.length === 0) return;
  const starts = [...people].map((key) => firstListed.get(key)!);
  yield {
    code: "leaver-recipient",
    severity: "critical",
    ...shownBy(shown.toReversed()),
    count: people.size,
    newest: Math.max(...starts),
  };
}

/** A miss among this many of the newest slots is recent. */
const NEWEST_SLOTS = 20;
/** If people met half of this many newest slots by hand, that is reported. */
const HABIT_SLOTS = 6;

/** Overdue, missed and late slots, unread runs, and a schedule that never ran. */
function* planReasons(facts: Facts): Generator<Reason> {
  const { schedule, judged: { slots } } = facts;
  if (facts.newerUnread) {
    yield { code: "unreadable", severity: "warning", ...shownBy([]), failure: null };
  } else if (facts.runs.length === 0) {
    yield { code: "never-ran", severity: "info", ...shownBy([]) };
  }
  if (!schedule) return;
  if (schedule.counts.overdue > 0) {
    const gap = toGap(slots.filter(({ outcome }) => outcome === "overdue"));
    yield { code: "overdue", severity: "critical", ...gap };
  }
  yield* missedReasons(slots);
  yield* lateReasons(facts);
}

/** Each gap whose last missed run is among the newest planned runs; if none is, the last gap. */
function* missedReasons(slots: readonly JudgedSlot<ReportRun>[]): Generator<Reason> {
  const newest = slots.slice(-NEWEST_SLOTS);
  const gaps = [...gapsIn(slots)];
  const recent = gaps.filter((gap) => newest.includes(gap.at(-1)!));
  for (const gap of recent.length > 0 ? recent : gaps.slice(-1)) {
    const severity = recent.length > 0 ? "warning" : "info";
    yield { code: "missed", severity, ...toGap(gap) };
  }
}

/** A gap goes on over what was excused or started by hand, as it does while it is overdue. */
function* gapsIn<Slot extends JudgedSlot<ReportRun>>(slots: readonly Slot[]): Generator<Slot[]> {
  let gap: Slot[] = [];
  for (const slot of slots) {
    const isMet = slot.runs.length > 0 && slot.outcome !== "by-hand";
    if (slot.outcome === "missed") gap.push(slot);
    else if (isMet && gap.length > 0) {
      yield gap;
      gap = [];
    }
  }
  if (gap.length > 0) yield gap;
}

function toGap(slots: readonly JudgedSlot<ReportRun>[]) {
  const [{ at: due }, { at: latest }] = [slots[0], slots.at(-1)!];
  const subject = slotAt(due).id;
  return { subject, since: due, runs: [], due, latest, count: slots.length };
}

function* lateReasons({ judged: { slots }, now, newerUnread }: Facts): Generator<Reason> {
  const due = slots[slots.findLastIndex(({ outcome }) => outcome !== "due") + 1];
  const reason = { code: "late", severity: "info" } as const;
  if (due && due.at < now && !newerUnread) {
    const late = { due: due.at, lateMs: now - due.at, count: 1 };
    yield { ...reason, ...shownBy([]), since: due.at, ...late };
    return;
  }
  const late = slots.filter(({ outcome, at }) => outcome === "late" && at >= now - LATELY);
  if (late.length === 0) return;
  const { at, runs: [run] } = late.at(-1)!;
  const shown = shownBy(late.map(({ runs: [run] }) => run));
  const lateMs = run.time - at;
  yield { ...reason, ...shown, since: late[0].at, due: null, lateMs, count: late.length };
}

/** Yields a reason if the schedule fails or does not run, and people regularly start it instead. */
function* byHandReasons(facts: Facts): Generator<Reason> {
  const { occurrences: { byHand }, judged: { slots } } = facts;
  if (byHand.length === 0) return;
  const events = slots.filter(({ outcome }) => outcome !== "due").map(({ at, runs, outcome }) => ({
    at,
    hasFailed: ["missed", "overdue", "by-hand"].includes(outcome) || runs.at(-1)?.meaning === "bad",
  }));
  const newest = events.slice(-NEWEST_SLOTS);
  const repairs = newest.flatMap(({ at, hasFailed }, index) => {
    const end = newest[index + 1]?.at ?? Infinity;
    const isRepair = ({ time, meaning }: typeof byHand[number]) =>
      hasFailed && time >= at && time < end && meaning === "good";
    return byHand.find(isRepair) ?? [];
  });
  const lately = repairs.filter(({ time }) => time >= newest.slice(-HABIT_SLOTS)[0].at);
  if (lately.length < 2 || lately.length * 2 < Math.min(newest.length, HABIT_SLOTS)) return;
  const counts = { count: repairs.length, of: newest.length };
  yield { code: "started-by-hand", severity: "warning", ...shownBy(repairs), ...counts };
}
