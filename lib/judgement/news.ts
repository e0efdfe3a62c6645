/**
 * Which moments of a history may bring news. At all others, a look would find what the previous one
 * found. When in doubt, a moment is looked at.
 */
import type { ReportRun } from "../types.ts";
import type { TimedRun } from "../runs/occurrences.ts";
import { listsSame } from "../runs/recipients.ts";
import { meaningOf, type StatusDictionary } from "../runs/status.ts";
import { FIELDS, hollowSigns, levelNumbersOf } from "./content_reasons.ts";
import { climbIn } from "./climb.ts";
import { addLevel, levelsOf, type Measured, shiftOf, takeOldest } from "./level.ts";
import { ENDS_SEEN, MOST_ENDLESS, MOST_OPEN } from "./facts.ts";
import type { ReasonCode } from "./reason.ts";
import { outcomesOf, RETRIED_RUNS, retryUntil, WELL_AGAIN } from "./retries.ts";
import { FLAKY_RUNS, LEAST_FAILED, LEAST_STUCK } from "./run_reasons.ts";
import { MOST_RUNS } from "./watch.ts";

/** A moment at which something happened: a run started or ended, or the grace of a slot ended. */
export type Moment =
  & {
    readonly at: number;
    /** How many runs had started. */
    count: number;
  }
  & (
    | {
      readonly kind: "start" | "end";
      /** The index of the run. */
      readonly place: number;
    }
    // Whether no run has met the slot, which is overdue from now on.
    | { readonly kind: "grace"; readonly isUnmet: boolean }
  );

/** Says whether moments, given in order, may bring news. */
export interface News {
  /**
   * What news a moment may bring: none, only of what was due, or any.
   *
   * @param open The codes of the open incidents.
   */
  broughtBy(moment: Moment, open: ReadonlySet<ReasonCode>): "none" | "slots" | "any";
  /**
   * Until when it is certainly no news that a run has just failed, because its retry may repair
   * that. Null if it may be news. Ask after `broughtBy`.
   */
  awaitsRetry(moment: Moment, open: ReadonlySet<ReasonCode>): number | null;
  /** Whether sizes and durations certainly give no reason after this many runs have started. */
  isLevel(count: number): boolean;
}

/** Follows a history, oldest run first. */
export function createNews(
  timed: readonly TimedRun<ReportRun>[],
  statuses: StatusDictionary,
): News {
  const meanings = timed.map(({ run }) => meaningOf(run.status, statuses));
  const automatic = sumsOf(timed, ({ run }) => run.automated === true);
  const separate = sumsOf(timed, (_, place) => isSeparate(place));
  const endless = sumsOf(timed, ({ run }, place) => !run.endTime && meanings[place] !== "bad");
  const unknown = sumsOf(timed, ({ run }, place) => !run.endTime && meanings[place] === "neutral");
  const going = new Set<number>();
  /** Indexes of runs that ended, and of those that failed, in order. */
  const ended: number[] = [];
  const failed: number[] = [];
  const content = createContent(timed, statuses);
  const outcomes = outcomesOf(timed, statuses);
  /** Whether something shifted with the run that ended last. */
  let hasShifted = false;
  /** Runs that ended, and whether each has certainly no less content than usual. */
  const hasUsualContent = new Map<number, boolean>();

  /** Whether a run is certainly no twin or retry of the one before. */
  function isSeparate(place: number): boolean {
    return place === 0 ||
      timed[place].time - timed[place - 1].time > TOGETHER && meanings[place - 1] !== "bad";
  }

  /** Whether any moment needs a look, because of what is open or may have begun by now. */
  function needsLookAnyway({ at, count }: Moment, open: ReadonlySet<ReasonCode>): boolean {
    const first = ended.at(-MOST_RUNS) ?? 0;
    const automated = automatic[count] - automatic[first];
    // Runs by hand may make up for missed ones.
    if (automated > 0 && automated < count - first) return true;
    if (open.has("flaky")) {
      if ((failed.at(-1) ?? -1) < count - WELL_AGAIN) return true;
    } else {
      const failure = failed.at(-LEAST_FAILED);
      if (failure !== undefined && separate[count] - separate[failure + 1] < FLAKY_RUNS) {
        return true;
      }
    }
    for (const place of going) {
      // It counts as ended as soon as enough others have started.
      const isOld = place < count - MOST_OPEN && place >= count - MOST_OPEN - MOST_RUNS;
      if (isOld || place >= count - MOST_OPEN && at - timed[place].time > LEAST_STUCK) return true;
    }
    return mayLackEnds(count);
  }

  /** Whether one of the newest runs lacks an end, and what that means depends on the others. */
  function mayLackEnds(count: number): boolean {
    const first = Math.max(0, count - ENDS_SEEN);
    const newest = Math.max(0, count - MOST_OPEN);
    return unknown[count] > unknown[first] ||
      endless[count] > endless[newest] && endless[newest] - endless[first] <= MOST_ENDLESS;
  }

  /** Whether a run that ended is good and like the previous one that did not fail. */
  function isUsual(place: number): boolean {
    let at = ended.length - 2;
    while (meanings[ended[at]] === "bad") at--;
    if (ended.at(-1) !== place || at < 0) return false;
    const [run, other] = [timed[place], timed[ended[at]]];
    return meanings[place] === "good" && meanings[ended[at]] === "good" && (run.ms ?? 0) >= 0 &&
      run.run.recipientCount === other.run.recipientCount && listsSame(run.run, other.run);
  }

  function isLevel(count: number): boolean {
    if (hasShifted || mayLackEnds(count)) return false;
    // A run that goes on for long counts as ended, with its sizes.
    for (const place of going) if (place < count - MOST_OPEN) return false;
    let newest = count - 1;
    while (newest >= 0 && !hasUsualContent.has(newest)) newest--;
    return newest < 0 || hasUsualContent.get(newest)!;
  }

  /** Whether the run before one, apart from those whose outcome is not known, was good. */
  function isFirstFailure(place: number): boolean {
    let before = place - 1;
    while (meanings[before] === "neutral") before--;
    return meanings[before] === "good";
  }

  return {
    broughtBy(moment, open) {
      const ofSlots = open.size === 0 || open.size === 1 && open.has("overdue") ? "slots" : "any";
      if (moment.kind === "grace") {
        if (mayEnd(open) || needsLookAnyway(moment, open)) return "any";
        return moment.isUnmet ? ofSlots : "none";
      }
      const { kind, place } = moment;
      if (kind === "start") {
        going.add(place);
        if (mayEnd(open) || needsLookAnyway(moment, open)) return "any";
        if (place > 0 && !listsSame(timed[place].run, timed[place - 1].run)) return "any";
        return open.has("overdue") ? ofSlots : "none";
      }
      going.delete(place);
      insert(ended, place);
      if (meanings[place] === "bad") insert(failed, place);
      hasShifted = content.addEnded(place, ended.at(-MOST_RUNS) ?? 0);
      const mayBeLess = meanings[place] === "good" && content.addGood(timed[place]);
      if (meanings[place] === "good") hasUsualContent.set(place, !mayBeLess);
      return hasShifted || mayBeLess || hasOtherThan("flaky", open) || !isUsual(place) ||
          needsLookAnyway(moment, open)
        ? "any"
        : "none";
    },
    awaitsRetry(moment, open) {
      const { kind, at, count } = moment;
      const place = count - 1;
      if (kind !== "end" || meanings[place] !== "bad" || going.size > 0) return null;
      if (moment.place !== place || (timed[place].ms ?? 0) < 0 || !isFirstFailure(place)) {
        return null;
      }
      // Other runs show how many recipients are usual, if there are enough of them.
      if ((failed.at(-MOST_FAILED) ?? -1) >= (ended.at(-MOST_RUNS) ?? 0)) return null;
      if (hasOtherThan("flaky", open)) return null;
      if (needsLookAnyway(moment, open) || !isLevel(count)) return null;
      const from = Math.max(0, place - RETRIED_RUNS);
      const automated = automatic[place] - automatic[from];
      if (automated > 0 && automated < place - from) return null;
      const until = retryUntil({
        times: outcomes.times.subarray(from, place),
        ends: outcomes.ends.subarray(from, place),
        failed: outcomes.failed.subarray(from, place),
        good: outcomes.good.subarray(from, place),
      }, outcomes.ends[place]);
      return until !== null && until > at ? until : null;
    },
    isLevel,
  };
}

/** Whether an open incident may end without a run that starts or ends. */
function mayEnd(open: ReadonlySet<ReasonCode>): boolean {
  for (const code of open) {
    if (code !== "flaky" && code !== "failing" && code !== "overdue") return true;
  }
  return false;
}

function hasOtherThan(code: ReasonCode, open: ReadonlySet<ReasonCode>): boolean {
  return open.size > (open.has(code) ? 1 : 0);
}

/** If more of the newest runs failed, little is known of the others. */
const MOST_FAILED = 30;
/** Runs that start within this time of each other may be twins. */
const TOGETHER = 2 * 60_000;

/** Follows the content and durations of runs. */
function createContent(timed: readonly TimedRun<ReportRun>[], statuses: StatusDictionary) {
  const kinds = [0, 1, 2].map(() => levelsOf([]));
  const durations: Measured[] = [];
  const most = { cards: 0, attachments: 0, attachmentSize: 0, emailSize: 0, ms: 0 };
  return {
    /** Adds a run that ended. Returns whether something then shifts or climbs. */
    addEnded(place: number, first: number): boolean {
      const { run, time } = timed[place];
      const since = timed[first].time;
      const values = levelNumbersOf(timed[place], statuses);
      for (let kind = 0; kind < kinds.length; kind++) {
        const value = values[kind];
        if (value !== null) {
          const one = { run, time, value };
          addLevel(kinds[kind], one);
          if (kind === 0) insert(durations, one, (each) => each.time);
        }
        while (kinds[kind].measured[0]?.time < since) takeOldest(kinds[kind]);
      }
      while (durations[0]?.time < since) durations.shift();
      return climbIn(durations) !== null || kinds.some((levels) => shiftOf(levels) !== null);
    },
    /** Adds the content of a good run. Returns whether it may be less than usual. */
    addGood(one: TimedRun<ReportRun>): boolean {
      const signs = hollowSigns(one, most);
      for (const [name, valueOf] of FIELDS) most[name] = Math.max(most[name], valueOf(one) ?? 0);
      return signs.length > 0;
    },
  };
}

/** For each number of leading items, how many of them meet a condition. */
function sumsOf<Item>(
  items: readonly Item[],
  isSome: (item: Item, place: number) => boolean,
): Int32Array {
  const sums = new Int32Array(items.length + 1);
  items.forEach((item, place) => sums[place + 1] = sums[place] + +isSome(item, place));
  return sums;
}

/** Inserts an item into sorted items, near their end. */
function insert<Item>(items: Item[], item: Item, orderOf = (one: Item) => Number(one)): void {
  const order = orderOf(item);
  let place = items.length;
  while (place > 0 && orderOf(items[place - 1]) > order) place--;
  items.splice(place, 0, item);
}
