/** Every number by which changes of content are found, each with its reason. */

/**
 * What is usual is the median of this many of the newest peers: more would follow growth late, and
 * people who leave one by one are not half of them.
 */
export const USUAL_OF = { size: 30, duration: 30, people: 5 } as const;
/** The spread is the median deviation of this many of them; a smaller one than 5 % is luck. */
export const SPREAD_OF = 60;
export const MIN_SPREAD = 0.05;
/** Peers are a group, such as runs on Mondays, if that lowers the deviation by 30 %. */
export const GROUP_GAIN = 0.7;
/** The groups are chosen again when there are an eighth more runs, so that it costs little. */
export const REGROUP_GROWTH = 1.125;
/** So many earlier runs show whether a level is new: some months of daily runs. */
export const EARLIER_RUNS = 200;
export interface LevelKind {
  /** How many runs in a row have to be far out. */
  readonly runs: number;
  /** They are far out beyond both this factor and this many spreads, on this side or any. */
  readonly factor: number;
  readonly spreads: number;
  readonly side?: 1 | -1;
  /** Their level is new if less than this share of earlier runs was like them; null: fewer than two. */
  readonly share: number | null;
  /** How many earlier runs there have to be. */
  readonly least: number;
}
export const LEVEL_OF_ONE: LevelKind = { runs: 1, factor: 3, spreads: 5, share: 0.01, least: 100 };
/** Three in a row are one beyond less: that happens by chance less often. */
export const LEVEL_OF_ROW: LevelKind = {
  ...{ runs: 3, factor: 1.5, spreads: 3.5, share: 0.075, least: 15 },
};
/** At most half of the people, but for rounding. */
const HALF: LevelKind = { runs: 1, factor: 1.999, spreads: 0, side: -1, share: null, least: 5 };
/** A single slow run harms nobody, nor do fast ones. */
export const LEVELS = {
  size: [LEVEL_OF_ONE, LEVEL_OF_ROW],
  duration: [{ ...LEVEL_OF_ROW, side: 1 }],
  people: [HALF],
} as const satisfies Record<string, readonly LevelKind[]>;
/** Of two people, one may be away. */
export const LEAST_GONE = 2;
/** One run is like another if it was as far out by this share, or within this factor of it. */
export const AS_FAR_OUT = 0.7;
export const SAME_VALUE = { factor: 1.35, spreads: 2.5 };
/** A report this many times smaller is almost empty. No usual spike is as high. */
export const ALMOST_EMPTY = 50;
/** After this many runs, a new level is usual: two weeks of a daily report. */
export const USUAL_AFTER = 12;
/** In the first days, no level is new: weekends have to pass. */
export const YOUNG_DAYS = 21;
/** A climb: the median of the newest runs against that of the runs 40 to 60 ago. */
export const CLIMB = { factor: 1.7, newest: 10, from: 60, to: 40 };
/**
 * Empty runs are usual after some `episodes` among the last `runs`, or if the share `most` of these is
 * empty. Fewer than `least` show neither.
 */
export const EMPTY = { runs: 120, episodes: 2, most: 0.8, least: 5 };
/** Shorter runs show nothing about usual durations. */
export const SHORTEST_MS = 1000;
