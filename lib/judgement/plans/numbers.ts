/** Every number by which a plan is found, each with its reason. Bits are those of the description. */

// What a plan is compared with.

/** Starts are told apart by a minute, or by this share of the usual gap if that is finer. */
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
/** The mean lateness is that of the lowest share; the others have reasons of their own. */
export const USUAL_SHARE = 0.95;
/** A run later than this share of the time to the next planned run belongs to none. */
export const LATEST_SHARE = 0.95;
/** Clocks differ, so a run may start this many minutes early. */
export const EARLY_MINUTES = 1;
/** A minute early is as unusual as so many minutes late. */
export const EARLY_WEIGHT = 3;
/** But never by more than this share of the time between planned runs. */
export const EARLY_SHARE = 0.1;
/** However near the next planned run is, it takes some minutes until a run is listed. */
export const MIN_GRACE_MINUTES = 5;
/** One run in this many may be later than the grace. */
export const LATER_THAN_GRACE = 100;

// Bits of the parts of a plan: what people write often takes few.

export const UTC_BITS = 1;
export const OTHER_ZONE_BITS = 4;
/** The zones are listed by how common they are. */
export const ZONE_RANK_BITS = 0.1;
/** More zones rarely win, and each takes as long as the first. */
export const MAX_OTHER_ZONES = 5;
/** Runs this many days apart on average are few, and their plan depends most on their dates. */
export const SELDOM_DAYS = 5;
export const MAX_ZONES_BY_DATE = 2;
/** The most bits of a time of day; rounder ones take less. */
export const ANY_MINUTE_BITS = 12.5;
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
/** Each of several days of the month. */
export const SEVERAL_NAMES_BITS = 6;

// What is proposed.

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
/** So many of the ranked plans are weighed with all runs, and so many sets of days are ranked. */
export const WEIGHED_PLANS = 6;
export const RANKED_DAYS = 3;

// Which time of day, step and days are proposed first; full bits decide later.

/** A run may start this many minutes before a round time, or any other, to be early for it … */
export const EARLY_FOR_ROUND = 0.75;
export const EARLY_FOR_ANY = 0.1;
/** … which takes about so many bits a run; one on a day that is not due takes more. */
export const EARLY_BITS = 0.6;
export const STRAY_BITS = 8;
/** This share of the starts in a step may be at any time. */
export const ANYWHERE_SHARE = 0.03;
/** Divisors of a day, in minutes, that people use. */
export const STEPS: readonly number[] = [
  ...[1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30],
  ...[40, 45, 60, 90, 120, 180, 240, 360, 480, 720],
];
/** This share of the runs has a step of its own, … */
export const OWN_STEP_SHARE = 0.6;
/** … and with more steps than this a run, nearly all would be missed. */
export const MAX_STEPS_A_RUN = 8;
/** If less of a step is free of starts, they are spread evenly over it: there is no step. */
export const MIN_FREE_SHARE = 0.06;
/** Steps outside the hours have less than this share of the runs of the most common one. */
export const OUTSIDE_SHARE = 0.25;
/** Cycles of weeks and of months, and steps of days, that people use. */
export const WEEK_CYCLES: readonly number[] = [2, 3, 4];
export const MONTH_CYCLES: readonly number[] = [2, 3, 6, 12];
export const DAY_STEPS: readonly number[] = [2, 3, 4, 5];
/** A cycle is proposed if this share of the runs is in one phase of it. */
export const IN_PHASE = 0.75;
/** A name of days, such as "the 15th", is proposed if it has this share of them, and of few. */
export const NAME_SHARE = 0.15;
export const MAX_NAMES = 5;
/** So many of the runs of a month may be missed. */
export const MISSED_A_MONTH = 0.33;

// Changes of plan.

export const CHANGE_BITS = 4;
/** With fewer runs, two plans can't be told from one. */
export const MIN_RUNS_TO_CHANGE = 12;
/** The first window at either end, and how much longer each further one is. */
export const FIRST_WINDOW = 4;
export const WINDOW_GROWTH = 1.5;
/** Two stray runs are no change: so many after it must have been unlikely under the old plan … */
export const MIN_WRONG_AFTER_CHANGE = 4;
/** … that is, take this many bits more than under the new one: half as likely. */
export const WRONG_BITS = 1;
/** A change is looked for if what a plan doesn't explain takes more bits a run than this … */
export const MISFIT_BITS_A_RUN = 0.5;
/** … or runs at an end take so many times the usual bits. */
export const MISFIT_AT_END = 1.5;
