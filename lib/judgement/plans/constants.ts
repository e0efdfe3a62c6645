/**
 * The constants by which a plan is chosen, in groups: docs/inference.md explains what each group
 * trades. Bits are those of the description; shares are of the runs unless stated otherwise.
 */
import { DAY } from "../../time_units.ts";

// What events cost.

/** Few schedules miss much, so each plan starts as if this many slots had been met. */
export const MET_BEFORE = 3;
/** This share of runs may be late by any amount, so that one bad night does not rule out a plan. */
export const ANY_LATENESS = 0.03;
/** This share of the runs may be late for their own reasons, and does not show what is usual. */
export const LATE_ALONE = 0.05;
/** If any lateness up to a bound is equally likely, this share of the runs is later still. */
export const LATER_THAN_EVEN = 0.07;
/** Such a bound must save this many bits a run; otherwise a few lucky runs would show one. */
export const EVEN_BITS = 0.2;
/** Clocks differ, so a run that is early by this share of the finest difference is on time. */
export const ON_TIME_PART: number = 1 / 6;
/** An event of this many bits is not chance: 1 in 64. */
export const CHANCE_BITS = 6;

// What is known without a plan.

/** Three runs have two gaps, and two similar gaps are no plan. */
export const MIN_RUNS = 4;
/** Starts are distinguished by minutes, or by this share of the usual gap if that is finer. */
export const FINEST_PART: number = 1 / 12;
/** The standard deviation of the logarithms of waiting times, if runs come at any time. */
export const MIN_DEVIATION = 1.28;

// What a plan has to save, in bits for each run, so that noise gets none.

/** The usual amount, which runs at any time don't save by luck. */
export const MIN_GAIN = 1.5;
/** A plan that is too regular to be chance has to save only this much. */
export const MIN_GAIN_REGULAR = 1;
/** It is that regular with this many runs, few of them strange, and none near the next slot. */
export const REGULAR_RUNS = 50;
export const MAX_STRANGE_REGULAR = 0.12;
export const LATEST_REGULAR = 0.94;
/** A plan has to save only this if each run has its own slot, such as anywhere in its hour. */
export const MIN_GAIN_EXACT = 0.25;
/** In all, it still has to save this: 2^40 to 1 against chance. */
export const MIN_BITS_EXACT = 40;
/** At most this share of its runs may lack a slot, and none may come just before the next slot. */
export const MAX_EXTRAS_EXACT = 0.005;
export const LATEST_EXACT = 0.93;
/** No scheduler is regularly later than this, in minutes. */
export const LATEST_SCHEDULER = 60;
/** With fewer runs, it may be luck that each has its own slot. */
export const MANY_RUNS = 60;

// When a candidate is no plan.

/** If a larger share of runs follows a miss, two habits alternate, and the plan covers neither. */
export const MAX_AFTER_MISS = 0.6;
/** But if the lengths of gaps vary at least this much, slots are missed at random. */
export const MIN_VARIANCE = 0.46;
/** If larger shares of runs have no slot and follow a miss, the runs moved away from the slots. */
export const MAX_MOVED = 0.3;
export const MAX_MOVED_AFTER_MISS = 0.2;
/** Intervals are the same if they differ by less than this share. */
export const SAME_INTERVAL = 0.03;
/** A plan is wrong if nearly all of this many runs have one interval, and few slots have it. */
export const MIN_IN_INTERVAL = 12;
export const MAX_IN_INTERVAL = 0.9;
export const FEW_IN_INTERVAL = 0.5;

// How much is searched: these trade time for accuracy.

/** At most this many runs are used to find a plan; all are used to judge it. */
export const MAX_FITTED = 280;
/** Those runs show the days of the week only if they span this time. */
export const SHOWN_WEEKS: number = 4 * 7 * DAY;
/** This many of the best plans for the latest runs are compared using all runs. */
export const MAX_WEIGHED = 3;
/** Other zones are tried only if a plan in the first zones saves this much. */
export const MIN_GAIN_ELSEWHERE = 1.2;
/** The same if runs are days apart, when the zone decides on which days they are. */
export const MIN_GAIN_SELDOM = 0.6;
/** A run is strange if it takes this many bits more than a run with the usual lateness. */
export const STRANGE_BITS = 4;

/** Plans by month, or every n weeks, leave at least this time between some runs. */
export const LONG_REACH: number = 10 * DAY;
/** Of each group of times of day, this many sets of days are tried as rivals. */
export const MAX_RIVAL_DAYS = 12;

// Changes of plan: bits to report one, and how sure it has to be.

/** Bits of a change of plan, besides those of the new plan and of its time. */
export const CHANGE_BITS = 4;
/** No plan takes fewer bits: this is the full hour, every day, and a little. */
export const MIN_PLAN_BITS = 8;
/** With at most this many runs, rivals and, if the whole looks strange, all parts are searched. */
export const ALL_SEARCHED = 60;
/** With at most this many runs, every part that looks strange is searched. */
export const ALWAYS_SEARCHED = 200;
/** Fewer runs at a time of day don't show how late they usually are; more add nothing. */
export const MIN_LATE = 6;
export const MAX_LATE = 300;
/** Windows at either end grow by this factor, so their number is logarithmic. */
export const WINDOW_GROWTH = 1.6;
/** Each run is compared with every plan, so only this many of the best plans take part. */
export const MAX_PLANS = 12;
/** After a change, fewer runs show a plan only if each has a slot and there are hardly any gaps. */
export const SURE_RUNS = 8;
export const SURE_RUNS_WITH_GAP = 6;
