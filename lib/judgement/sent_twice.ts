/** Finds planned runs that were sent more than once to the same people. */
import { groupBy } from "../group_by.ts";
import type { ReportRun } from "../types.ts";
import type { TimedRun } from "../runs/occurrences.ts";
import { countListed, peopleAmong } from "../runs/recipients.ts";
import type { Facts } from "./facts.ts";
import { EARLY_SHARE } from "./plans/numbers.ts";
import { type Reason, shownBy } from "./reason.ts";

/** The newest planned runs that show what is usual. */
const SEEN_SLOTS = 120;
/** Twelve of them sent more than once, or twelve in a row, are usual. */
const USUAL_SLOTS = 12;
/** So are three episodes, such as one at the end of each month. */
const USUAL_EPISODES = 3;
/** Where the next planned run was missed, a run in this last part of the time until it is early for it. */
const MISSED_SHARE = 0.5;

/** A planned run that was met, and the good runs that went to the same people, if there are several. */
interface Sent {
  readonly at: number;
  readonly runs: readonly TimedRun<ReportRun>[];
}

/** Yields the streak at the end of planned runs that were sent more than once, unless it is usual. */
export function* sentTwiceReasons(
  { judged: { slots }, occurrences, now }: Facts,
): Generator<Reason> {
  const sent = [...findSent(slots.slice(-SEEN_SLOTS), occurrences.started, now)];
  const isRepeated = (each: Sent | undefined) => each !== undefined && each.runs.length > 1;
  // A planned run that went out once may still go out again before the next one.
  if (!isRepeated(sent.at(-1))) sent.pop();
  const first = sent.findLastIndex((each) => !isRepeated(each)) + 1;
  const [streak, earlier] = [sent.slice(first), sent.slice(0, first)];
  const repeated = earlier.filter(isRepeated).length;
  const episodes =
    earlier.filter((each, at) => isRepeated(each) && !isRepeated(earlier[at - 1])).length;
  const isUsual = Math.max(repeated, streak.length) >= USUAL_SLOTS || episodes >= USUAL_EPISODES;
  // Without an earlier one that went out once, nobody knows what is usual.
  if (streak.length === 0 || earlier.length === 0 || isUsual) return;
  const runs = streak.flatMap((each) => each.runs);
  const newest = streak.at(-1)!;
  yield {
    code: "sent-twice",
    severity: "warning",
    ...shownBy(runs, `${runs[0].run.id}`),
    first: runs[0].run.id,
    count: streak.length,
    latest: newest.at,
    times: newest.runs.length,
    people: countListed(newest.runs[0].run),
  };
}

function* findSent(
  slots: Facts["judged"]["slots"],
  started: Facts["occurrences"]["started"],
  now: number,
): Generator<Sent> {
  let from = 0;
  let unmet = 0;
  for (const [index, slot] of slots.entries()) {
    const { at, outcome, runs: [first] } = slot;
    if (!first || outcome === "by-hand") {
      unmet++;
      continue;
    }
    const end = endOf(slot, slots[index + 1], now);
    while (from < started.length && started[from].time < first.time) from++;
    const good: TimedRun<ReportRun>[] = [];
    for (; from < started.length && started[from].time < end; from++) {
      const { meaning, run } = started[from];
      if (meaning === "good" && run.automated !== false) good.push(started[from]);
    }
    // Runs that make up for those just missed are not repetitions.
    yield { at, runs: good.length > 1 + unmet ? toSamePeople(good) : [] };
    unmet = 0;
  }
}

/** Until when a run repeats a planned run: just before the next, or nearer to it, one is early. */
function endOf(
  { at, next }: Facts["judged"]["slots"][number],
  following: Facts["judged"]["slots"][number] | undefined,
  now: number,
): number {
  const before = (due: number, share: number) => due - share * (due - at);
  // Since the plan was changed, its next planned run does not count any more.
  if ((next ?? Infinity) < (following?.at ?? now)) return before(next!, MISSED_SHARE);
  const due = following?.at ?? next ?? Infinity;
  if (due === Infinity) return due;
  const early = before(due, following?.outcome === "missed" ? MISSED_SHARE : EARLY_SHARE);
  const [first] = following?.runs ?? [];
  if (!first) return early;
  // Where the next one was met late, perhaps by the one after it, this may be its own.
  return Math.min(following!.outcome === "late" ? early : due, first.time);
}

/** The most runs that list the same people. Those that list nobody are taken to have the same. */
function toSamePeople(runs: readonly TimedRun<ReportRun>[]): readonly TimedRun<ReportRun>[] {
  const identify = peopleAmong(runs.map(({ run }) => run.recipients));
  const groups = groupBy(
    runs,
    ({ run }) => (run.recipients ?? []).map((each) => identify(each).key).sort().join("\n"),
  );
  return [...groups.values()].reduce((most, group) => group.length > most.length ? group : most);
}
