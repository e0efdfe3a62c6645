/** Finds new levels of one number of a schedule's runs: a size, or the duration. */
import { groupBy } from "../../group_by.ts";
import { quantile } from "../../runs/quantiles.ts";
import { DAY } from "../../time_units.ts";
import { weekdayAt } from "../plans/due_days.ts";
import * as numbers from "./content_numbers.ts";

interface RunValue {
  readonly id: number;
  readonly time: number;
  /** When it started by the clock of the plan's zone, as if that were UTC. */
  readonly local: number;
  /** Bytes, or milliseconds. */
  readonly value: number;
}

interface Level {
  /** The runs that have it, oldest first. */
  readonly runs: readonly ComparedRun[];
  /** What was usual before, and what is now. */
  readonly before: number;
  readonly after: number;
  /** Whether it was reached slowly, so that no run is the first with it. */
  readonly isSlow: boolean;
}

/** Maps a local time to the group of runs that it is compared with. */
type Grouping = (local: number) => number;

const isWeekend: Grouping = (local) => Number(weekdayAt(local) % 6 === 0);
const date: Grouping = (local) => new Date(local).getUTCDate();
const hour: Grouping = (local) => new Date(local).getUTCHours();

/** All groupings, simplest first. */
const GROUPINGS: readonly Grouping[] = [
  () => 0,
  isWeekend,
  (local) => Number(date(local) === 1),
  weekdayAt,
  date,
  hour,
  (local) => hour(local) + 24 * isWeekend(local),
];

/** A run, compared with its peers: all as logarithms. */
interface ComparedRun extends RunValue {
  readonly log: number;
  group: number;
  /** How far it was from what was usual then. */
  distance: number;
}

interface Usual {
  readonly level: number;
  readonly spread: number;
}

/** One number of a schedule's runs, which are added in the order of their ends. */
export class LevelSeries {
  /** The level that is not usual yet, and the last one that became usual. */
  level: Level | null = null;
  usualLevel: Level | null = null;
  readonly #runs: ComparedRun[] = [];
  #groupOf = GROUPINGS[0];
  #regroupAt = 2 * numbers.ROW;
  /** The index of the first run of the usual level, and how many runs there were when it became so. */
  #peersFrom = 0;
  #usualAt = 0;

  /**
   * `expected` are the first runs of levels that people expect, which are usual at once. Of durations,
   * only higher levels count, and never one run, since a single slow run harms nobody.
   */
  constructor(readonly expected: ReadonlySet<number>, readonly isDuration = false) {}

  add(run: RunValue): void {
    if (this.#runs.length >= this.#regroupAt && this.level === null) this.#regroup();
    const [log, group] = [Math.log(run.value), this.#groupOf(run.local)];
    const usual = this.#usualIn(group);
    const compared = { ...run, log, group, distance: log - (usual?.level ?? log) };
    this.#runs.push(compared);
    if (usual === null || this.#isYoung()) return;
    if (this.level) this.#follow(this.level, compared, usual);
    this.level ??= this.#newLevel(usual) ?? this.#newClimb();
    const isUsual = this.level && (this.level.runs.length >= numbers.USUAL_AFTER ||
      this.expected.has(this.level.runs[0].id));
    if (isUsual) this.#accept(this.level!);
  }

  #isYoung(): boolean {
    const isNew = this.#runs.at(-1)!.time - this.#runs[0].time < numbers.YOUNG_DAYS * DAY;
    return isNew && this.#runs.length <= numbers.EARLIER_RUNS;
  }

  /** Ends a level when values are back, or go further; otherwise adds the newest run to it. */
  #follow(level: Level, run: ComparedRun, usual: Usual): void {
    const further = this.isDuration ? null : this.#newLevel(usual);
    const limit = beyond(numbers.LEVEL_OF_ONE, usual.spread);
    // Weekends of 0.1 MB among days of 1 MB: if all are twice as large, both are at the new level.
    const isBack = Math.abs(run.distance) < Math.abs(run.distance - distanceOf(level));
    if (isBack && !level.isSlow) this.level = null;
    else if (further && Math.abs(distanceOf(further) - distanceOf(level)) > limit) {
      this.level = further;
    } else this.level = toLevel([...level.runs, run], level.before, level.isSlow);
  }

  /** From now on a level is usual, and peers begin at its first run. */
  #accept(level: Level): void {
    [this.level, this.usualLevel, this.#usualAt] = [null, level, this.#runs.length];
    // What is usual has followed a slow climb already.
    if (!level.isSlow) this.#peersFrom = this.#runs.indexOf(level.runs[0]);
  }

  #newLevel(usual: Usual): Level | null {
    const runs = (this.isDuration ? null : this.#newRuns(1, numbers.LEVEL_OF_ONE, usual)) ??
      this.#newRuns(numbers.ROW, numbers.LEVEL_OF_ROW, usual);
    if (!runs || this.isDuration && runs[0].distance < 0) return null;
    return toLevel(runs, Math.exp(usual.level));
  }

  /** The newest runs, if they are far out, on one side, as hardly any earlier ones were. */
  #newRuns(
    count: number,
    kind: typeof numbers.LEVEL_OF_ONE,
    { spread }: Usual,
  ): readonly ComparedRun[] | null {
    const newest = this.#runs.slice(-count);
    const earlier = this.#runs.slice(-count - numbers.EARLIER_RUNS, -count);
    const side = Math.sign(newest[0].distance);
    const nearest = Math.min(...newest.map(({ distance }) => distance * side));
    const isObvious = nearest > Math.log(numbers.ALMOST_EMPTY);
    const least = isObvious ? numbers.LEVEL_OF_ROW.least : kind.least;
    if (nearest <= beyond(kind, spread) || earlier.length < least) return null;
    const log = medianOf(newest.map((each) => each.log));
    const near = beyond(numbers.SAME_VALUE, spread);
    const few = kind.share * earlier.length;
    const isNew = earlier.filter((each) => Math.abs(each.log - log) <= near).length < few &&
      earlier.filter((each) => each.distance * side >= numbers.AS_FAR_OUT * nearest).length < few;
    // 5 MB, 1.6 MB, 1.6 MB, usually 0.5: the first of these runs was at a level before.
    const middle = medianOf(newest.map(({ distance }) => distance));
    return isNew ? newest.filter(({ distance }) => Math.abs(distance - middle) <= near) : null;
  }

  #newClimb(): Level | null {
    const { factor, newest, from, to } = numbers.CLIMB;
    if (!this.isDuration || this.#runs.length < this.#usualAt + from) return null;
    const median = (some: readonly ComparedRun[]) => medianOf(some.map(({ log }) => log));
    const before = median(this.#runs.slice(-from, -to));
    const climb = median(this.#runs.slice(-newest)) - before;
    if (climb < Math.log(factor)) return null;
    const earlier = this.#runs.slice(-numbers.EARLIER_RUNS, -to);
    const high = before + numbers.AS_FAR_OUT * climb;
    const few = numbers.LEVEL_OF_ROW.share * numbers.EARLIER_RUNS;
    if (earlier.filter(({ log }) => log >= high).length >= few) return null;
    return toLevel(this.#runs.slice(-1), Math.exp(before), true);
  }

  /** What is usual for a group, but for the newest level or row; null if few runs of it are known. */
  #usualIn(group: number): Usual | null {
    const end = this.level && !this.level.isSlow
      ? this.#runs.indexOf(this.level.runs[0])
      : this.#runs.length - numbers.ROW + 1;
    const logs: number[] = [];
    for (let at = end - 1; at >= this.#peersFrom && logs.length < numbers.SPREAD_OF; at--) {
      if (this.#runs[at].group === group) logs.push(this.#runs[at].log);
    }
    if (logs.length < numbers.ROW) return null;
    const level = medianOf(logs.slice(0, numbers.USUAL_OF));
    const spread = medianOf(logs.map((log) => Math.abs(log - level)));
    return { level, spread: Math.max(numbers.MIN_SPREAD, spread) };
  }

  /** Chooses the simplest grouping, unless another describes the runs much better. */
  #regroup(): void {
    this.#regroupAt = Math.ceil(this.#runs.length * numbers.REGROUP_GROWTH);
    const before = this.#groupOf;
    const newest = this.#runs.slice(this.#peersFrom).slice(-numbers.EARLIER_RUNS);
    let least = Infinity;
    for (const groupOf of GROUPINGS) {
      const deviation = deviationWithin(newest, groupOf);
      if (deviation < least * numbers.GROUP_GAIN) [this.#groupOf, least] = [groupOf, deviation];
    }
    if (this.#groupOf === before) return;
    // What was far out may be usual in its group, as weekends are.
    for (const run of this.#runs) [run.group, run.distance] = [this.#groupOf(run.local), 0];
  }
}

/** The median deviation of values from the median of the others of their group. */
function deviationWithin(runs: readonly ComparedRun[], groupOf: Grouping): number {
  const deviations: number[] = [];
  for (const members of groupBy(runs, ({ local }) => groupOf(local)).values()) {
    const logs = members.map(({ log }) => log).sort((a, b) => a - b);
    const middle = logs.length >> 1;
    for (const [at, log] of logs.entries()) {
      // Few in a group show nothing.
      deviations.push(
        logs.length < numbers.ROW
          ? Math.log(numbers.LEVEL_OF_ONE.factor)
          : Math.abs(log - logs[at < middle ? middle : middle - 1]),
      );
    }
  }
  return medianOf(deviations);
}

/** Usual values follow a slow climb, so its level is that of the values themselves. */
function toLevel(runs: readonly ComparedRun[], before: number, isSlow = false): Level {
  const after = isSlow
    ? medianOf(runs.map(({ value }) => value))
    : before * Math.exp(medianOf(runs.map(({ distance }) => distance)));
  return { runs, before, after, isSlow };
}

function distanceOf({ before, after }: Level): number {
  return Math.log(after / before);
}

function beyond(
  { factor, spreads }: { readonly factor: number; readonly spreads: number },
  spread: number,
): number {
  return Math.max(Math.log(factor), spreads * spread);
}

function medianOf(values: readonly number[]): number {
  return quantile(values, 0.5)!;
}
