/**
 * The constants by which a plan is chosen, in groups: docs/inference.md explains what each group
 * trades. Bits are those of the description; shares are of the runs unless stated otherwise.
 */

// What events cost.

/** Few schedules miss much, so a plan starts as if this many slots had been met. */
export const MET_BEFORE = 3;
/** Any run may be late by any amount: this share keeps one bad night from ruling out a plan. */
export const ANY_LATENESS = 0.03;
/** This share of the latenesses may have a reason of its own, and says nothing of what is usual. */
export const LATE_ALONE = 0.05;
/** If any lateness up to a bound is equally likely, this share of the runs are later still. */
export const LATER_THAN_EVEN = 0.07;
/** A bound must save this many bits a run: otherwise a few lucky runs would show one. */
export const EVEN_BITS = 0.2;
/** Clocks differ: a run that is early by this share of the finest difference is on time. */
export const ON_TIME_PART: number = 1 / 6;
/** What takes this many bits is not chance: 1 in 64. */
export const CHANCE_BITS = 6;

// What is known without a plan.

/** Three runs have two gaps, and two similar gaps are no plan. */
export const FEWEST_RUNS = 4;
/** Starts are distinct to the minute, or to this share of the usual gap if that is finer. */
export const FINEST_PART: number = 1 / 12;
/** The standard deviation of the logarithms of waiting times, if runs come at any time. */
export const LEAST_DEVIATION = 1.28;

// What a plan has to save, in bits for each run, so that noise gets none.

/** The usual amount: runs at any time gain less than this by luck. */
export const LEAST_GAIN = 1.5;
/** A plan so regular that it can't be chance has to save only this much. */
export const LEAST_GAIN_REGULAR = 1;
/** For that it must have this many runs, few of them strange, and none near the next slot. */
export const REGULAR_RUNS = 50;
export const MOST_STRANGE_REGULAR = 0.12;
export const LATEST_REGULAR = 0.94;
/** If each run has its own slot, a plan may save this little: starts are anywhere in an hour. */
export const LEAST_GAIN_EXACT = 0.25;
/** In all it must still save this much: 2^40 to 1 against chance. */
export const LEAST_BITS_EXACT = 40;
/** Then hardly any run may lack a slot, and none may come just before the next slot. */
export const MOST_EXTRAS_EXACT = 0.005;
export const LATEST_EXACT = 0.93;
/** No scheduler is regularly later than this, in minutes. */
export const LATEST_SCHEDULER = 60;
/** With fewer runs, slots that fit one to one may be luck. */
export const MANY_RUNS = 60;

// When a candidate is no plan.

/** If more runs than this share follow a miss, two habits alternate, and one plan shows neither. */
export const MOST_AFTER_MISS = 0.6;
/** Unless the lengths of gaps vary at least this much: then slots are missed at random. */
export const LEAST_VARIANCE = 0.46;
/** If this share have no slot, and many follow a miss, the runs moved away from the slots. */
export const MOST_MOVED = 0.3;
export const MOST_MOVED_AFTER_MISS = 0.2;
/** Intervals are the same if they differ by less than this share. */
export const SAME_INTERVAL = 0.03;
/** Fewer runs don't show an interval; nearly all of them must have it, and few slots. */
export const FEWEST_IN_INTERVAL = 12;
export const MOST_IN_INTERVAL = 0.9;
export const FEW_IN_INTERVAL = 0.5;

// How much is searched: these trade time for accuracy.

/** At most this many runs are used to find a plan; all are used to judge it. */
export const MOST_FITTED = 280;
/** These runs show the days of the week only if they span this time. */
export const SHOWN_WEEKS: number = 4 * 7 * 86_400_000;
/** This many of the best plans for the latest runs are compared using all runs. */
export const MOST_WEIGHED = 3;
/** If a plan in the first zones saves less, no other zone makes it a plan. */
export const LEAST_GAIN_ELSEWHERE = 1.2;
/** The same if runs are days apart: then the zone decides on which days they are. */
export const LEAST_GAIN_SELDOM = 0.6;
/** A run that takes this many bits more than its usual lateness is off the plan. */
export const STRANGE_BITS = 4;

// Changes of plan: bits to report one, and how sure it has to be.

/** Bits of a change of plan, besides those of the new plan and of its time. */
export const CHANGE_BITS = 4;
/** No plan takes fewer bits: the full hour, every day, and a little. */
export const LEAST_PLAN_BITS = 8;
/** With fewer runs, every part is searched if the whole looks unusual. */
export const ALL_SEARCHED = 60;
/** With fewer runs, every part that looks unusual is searched for a plan of its own. */
export const ALWAYS_SEARCHED = 200;
/** Fewer runs at a time of day don't show how late they usually are; more than most add nothing. */
export const FEWEST_LATE = 6;
export const MOST_LATE = 300;
/** Windows at either end grow by this factor, so their number is logarithmic. */
export const WINDOW_GROWTH = 1.6;
/** Each run is compared with every plan, so only the best of them take part. */
export const MOST_PLANS = 12;
/** After a change, fewer runs show a plan only if it explains all of them, with at most one gap. */
export const SURE_RUNS = 8;
export const SURE_RUNS_WITH_GAP = 6;
