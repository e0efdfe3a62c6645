/**
 * The numbers that decide which plan is found, each with its reason. Bits are those of the
 * description. Facts, such as seven days a week, are where they are used.
 */
import { HOUR } from "../../time_units.ts";

// What a plan is compared with.

/** Starts differ if they are a minute apart, or by this share of the usual gap if that is finer. */
export const RESOLUTION_SHARE: number = 1 / 12;
/** Runs at any time have gaps whose logarithms deviate this much; fewer would look like a plan. */
export const MIN_DEVIATION = 1.28;
/** A plan saves this many bits against none, or it is luck: 1 in 260,000. */
export const MIN_SAVED_BITS = 18;
/** Candidates are chosen to fit the runs, which saves up to about this many bits a run by luck. */
export const MIN_SAVED_BITS_A_RUN = 0.5;

// How late runs are.

/** One bad night in thirty doesn't rule out a plan: this share may be late by any amount. */
export const OUTLIER_PROBABILITY = 0.03;
/** The mean lateness is that of this share, the least; the others have reasons of their own. */
export const USUAL_SHARE = 0.95;
/** A run later than this share of the time to the next planned run belongs to none. */
export const LATEST_SHARE = 0.95;
/** Clocks differ, so a run may start this many minutes early. */
export const EARLY_MINUTES = 1;
/** But never by more than this share of the time between planned runs. */
export const EARLY_SHARE = 0.1;
/** However near the next planned run is, it takes some minutes until a run is listed. */
export const MIN_GRACE_MINUTES = 5;
/** Few runs are so late that one in this many exceeds it: three or four daily runs a year … */
export const RARE_RUNS = 100;
/** … and each would be a false alarm, so the grace is twice as long, which hardly any exceeds. */
export const GRACE_FACTOR = 2;

// Bits of the parts of a plan: what people write often takes few.

/** A zone other than the reader's: UTC is common. Of others, each is less common than the last. */
export const ZONE_BITS = { utc: 1, firstOther: 4, eachFurther: 0.1 } as const;
/** Of a time of day that is not round: one of 1440 takes 10.5, and few people choose these. */
export const ANY_MINUTE_BITS = 12.5;
/** Of a time of day that is a multiple of so many minutes: the rounder, the more common. */
export const ROUND_MINUTE_BITS: readonly (readonly [round: number, bits: number])[] = [
  [60, 5],
  [30, 6.5],
  [15, 7.5],
  [5, 9],
];
/** "Every n minutes", however many times a day that is. */
export const STEP_BITS = 10;
/** "Within hours" of steps: there are 276 pairs of hours. */
export const HOURS_BITS = 8;
/** "Every n weeks" or "every n months" of days. */
export const CYCLE_BITS = 4;
/** Days of the week: every day, Monday to Friday, one weekday, or any other of 128 sets. */
export const WEEKDAYS_BITS = { all: 1, workdays: 2, one: 4, others: 8 } as const;
/** Each of several names of days, such as "the 1st and the 15th": a bit more than a date alone. */
export const SEVERAL_NAMES_BITS = 6;
/**
 * Days of the month, by kind. `bits` are those of a rule with one name: the more common the kind is
 * and the fewer names it has, the fewer. `maxNames` is how many people combine.
 */
export const MONTH_KINDS = {
  dates: { bits: 5, maxNames: 5 },
  businessDays: { bits: 6, maxNames: 1 },
  nthWeekdays: { bits: 7, maxNames: 2 },
  movedOn: { bits: 7, maxNames: 2 },
  movedBack: { bits: 7, maxNames: 2 },
} as const;

// Bits of what runs do.

/** An event takes at least this, so that a plan of which every other run is missed is not free. */
export const MIN_EVENT_BITS = 1;

// What is proposed.

/** More zones rarely win, and each takes as long as the first. */
export const MAX_OTHER_ZONES = 5;
/** Runs this many days apart on average are few, and their plan depends most on their dates. */
export const SELDOM_DAYS = 5;
/** Zones, one for each list of dates that runs have in them: most are a day later or earlier. */
export const MAX_ZONES_BY_DATE = 4;
/** Minutes between runs at one time of day: a punctual, a usual and a slow scheduler. */
export const CLUSTER_MINUTES: readonly number[] = [3, 15, 120];
/** A plan with more times a day than this consists of steps. */
export const MAX_TIMES_A_DAY = 12;
/** A time of day has at least this share of the runs of the most common one. */
export const RAREST_TIME_SHARE = 0.04;
/** Two or three runs at another time don't make it one of the plan. */
export const MIN_RUNS_AT_A_TIME = 4;
/** One time of day has days of its own only after so many of them. */
export const MIN_OWN_DAYS = 6;
/** Rules by month need this many days to show. */
export const MONTH_RULES_FROM_DAYS = 28;
/** The newest runs propose and rank plans; they show a plan as well as more would. */
export const RANKED_RUNS = 300;
/** So many of the ranked plans are weighed with all runs: the best one is nearly always in them. */
export const WEIGHED_PLANS = 6;
/** For each set of times, so many rules for days are ranked, as their order is only rough. */
export const RANKED_DAYS = 3;

// Which time of day, step and days are proposed first; full bits decide later.

/** A run may start this many minutes before a round time, or any other, to be early for it. */
export const MINUTES_EARLY_FOR = { round: 0.75, any: 0.1 } as const;
/** A run on a day that is not due takes about so many bits more than one that is due. */
export const STRAY_BITS = 8;
/** This share of the starts in a step may be at any time. */
export const ANYWHERE_SHARE = 0.03;
/** Divisors of a day, in minutes, that people use. */
export const STEPS: readonly number[] = [
  ...[1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30],
  ...[40, 45, 60, 90, 120, 180, 240, 360, 480, 720],
];
/** A step is proposed if this share of the runs is alone in its step. */
export const OWN_STEP_SHARE = 0.6;
/**
 * With more steps than this a run, nearly all would be missed. Hours leave out the nights, so within
 * them twice as many may be missed, such as those on weekends.
 */
export const MAX_STEPS_A_RUN = { allDay: 4, withinHours: 8 } as const;
/** If less of a step is free of starts, they are spread evenly over it: there is no step. */
export const MIN_FREE_SHARE = 0.06;
/** Steps outside the hours have less than this share of the runs of the most common one. */
export const OUTSIDE_SHARE = 0.25;
/** "Every n weeks" that people use, and "every n months": those that a year is a multiple of. */
export const CYCLES = { week: [2, 3, 4], month: [2, 3, 6, 12] } as const;
/** A cycle is proposed if this share of the runs is in one phase of it. */
export const IN_PHASE = 0.75;
/** A name, such as "the 15th", needs this share of the days to be proposed: of five, each has 0.2. */
export const NAME_SHARE = 0.15;

// Changes of plan.

/** That there is a change; at which run takes the logarithm of their number. */
export const CHANGE_BITS = 4;
/** With fewer runs, two plans can't be distinguished from one. */
export const MIN_RUNS_TO_CHANGE = 12;
/** The runs of the shortest window at either end: fewer show no plan. */
export const FIRST_WINDOW = 4;
/** Each further window is so many times as long: one is nearly as long as the new plan has held. */
export const WINDOW_GROWTH = 1.5;
/** Two stray runs are no change: so many after it must have been unlikely under the old plan … */
export const MIN_WRONG_AFTER_CHANGE = 4;
/** … that is, take this many bits more than under the new one, half as likely … */
export const WRONG_BITS = 1;
/** … and so far apart: whatever repeats a run of a day may do so several times. */
export const APART_MS: number = HOUR;
/** A change is looked for if what a plan doesn't explain takes more bits a run than this … */
export const MISFIT_BITS_A_RUN = 0.5;
/** … or runs at an end take so many times the usual bits … */
export const MISFIT_AT_END = 1.5;
/** … which count as at least this, as runs that follow a plan exactly may take less than none. */
export const MIN_USUAL_BITS = 1;
