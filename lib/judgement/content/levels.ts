/** Finds new levels of one number of a schedule's runs: a size, the duration, or how many people. */
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
  /** Bytes, milliseconds, or people. */
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
  #regroupAt = 2 * numbers.LEVEL_OF_ROW.runs;
  /** The index of the first run of the usual level, and how many runs there were when it became so. */
  #peersFrom = 0;
  #usualAt = 0;

  /** `expected` are the first runs of levels that people expect, which are usual at once. */
  constructor(readonly expected: ReadonlySet<number>, readonly of: keyof typeof numbers.LEVELS) {}

  add(run: RunValue): void {
    if (this.#runs.length >= this.#regroupAt && this.level === null) this.#regroup();
    const [log, group] = [Math.log(run.value), this.#groupOf(run.local)];
    const usual = this.#usualIn(group);
    this.#runs.push({ ...run, log, group, distance: log - (usual?.level ?? log) });
    if (usual === null || this.#isYoung()) return;
    const level = this.level = this.#levelNow(usual);
    if (level === null) return;
    const isUsual = level.runs.length >= numbers.USUAL_AFTER || this.expected.has(level.runs[0].id);
    if (!isUsual) return;
    [this.level, this.usualLevel, this.#usualAt] = [null, level, this.#runs.length];
    // Peers begin at its first run; but they have followed a slow climb already.
    if (!level.isSlow) this.#peersFrom = this.#runs.indexOf(level.runs[0]);
  }

  #isYoung(): boolean {
    const isNew = this.#runs.at(-1)!.time - this.#runs[0].time < numbers.YOUNG_DAYS * DAY;
    return isNew && this.#runs.length <= numbers.EARLIER_RUNS && this.of !== "people";
  }

  /** A level ends when values are back, or go further; otherwise the newest run has it, too. */
  #levelNow(usual: Usual): Level | null {
    const { level } = this;
    const found = this.#newLevel(usual);
    const { distance } = this.#runs.at(-1)!;
    // Weekends of 0.1 MB among days of 1 MB: if all are twice as large, both are at the new level.
    const isBack = level && !level.isSlow &&
      Math.abs(distance) < Math.abs(distance - distanceOf(level));
    if (level === null || isBack) return found ?? this.#newClimb();
    const isFurther = found && this.of === "size" &&
      Math.abs(distanceOf(found) - distanceOf(level)) > beyond(numbers.LEVEL_OF_ONE, usual.spread);
    return isFurther
      ? found
      : toLevel([...level.runs, this.#runs.at(-1)!], level.before, level.isSlow);
  }

  /** The newest runs, if they are far out, on one side, as hardly any earlier ones were. */
  #newLevel({ level, spread }: Usual): Level | null {
    for (const kind of numbers.LEVELS[this.of] as readonly numbers.LevelKind[]) {
      const newest = this.#runs.slice(-kind.runs);
      const earlier = this.#runs.slice(-kind.runs - numbers.EARLIER_RUNS, -kind.runs);
      const side = kind.side ?? Math.sign(newest[0].distance);
      const nearest = Math.min(...newest.map(({ distance }) => distance * side));
      if (nearest < beyond(kind, spread) || earlier.length < kind.least) continue;
      const isFew = Math.exp(level) - newest[0].value < numbers.LEAST_GONE;
      if (this.of === "people" && isFew) continue;
      const log = medianOf(newest.map((each) => each.log));
      const near = beyond(numbers.SAME_VALUE, spread);
      const isAlike = this.of === "people" ? [(each: ComparedRun) => each.log <= log] : [
        (each: ComparedRun) => Math.abs(each.log - log) <= near,
        (each: ComparedRun) => each.distance * side >= numbers.AS_FAR_OUT * nearest,
      ];
      const few = kind.share === null ? 2 : kind.share * earlier.length;
      if (isAlike.some((is) => earlier.filter(is).length >= few)) continue;
      // 5 MB, 1.6 MB, 1.6 MB, usually 0.5: the first of these runs was at a level before.
      const middle = medianOf(newest.map(({ distance }) => distance));
      const own = newest.filter(({ distance }) => Math.abs(distance - middle) <= near);
      return toLevel(own, Math.exp(level));
    }
    return null;
  }

  #newClimb(): Level | null {
    const { factor, newest, from, to } = numbers.CLIMB;
    if (this.of !== "duration" || this.#runs.length < this.#usualAt + from) return null;
    const median = (some: readonly ComparedRun[]) => medianOf(some.map(({ log }) => log));
    const before = median(this.#runs.slice(-from, -to));
    const climb = median(this.#runs.slice(-newest)) - before;
    if (climb < Math.log(factor)) return null;
    const earlier = this.#runs.slice(-numbers.EARLIER_RUNS, -to);
    const high = before + numbers.AS_FAR_OUT * climb;
    const few = numbers.LEVEL_OF_ROW.share! * numbers.EARLIER_RUNS;
    if (earlier.filter(({ log }) => log >= high).length >= few) return null;
    return toLevel(this.#runs.slice(-1), Math.exp(before), true);
  }

  /** What is usual for a group, but for the newest level or row; null if few runs of it are known. */
  #usualIn(group: number): Usual | null {
    const end = this.level && !this.level.isSlow
      ? this.#runs.indexOf(this.level.runs[0])
      : this.#runs.length - numbers.LEVEL_OF_ROW.runs + 1;
    const logs: number[] = [];
    for (let at = end - 1; at >= this.#peersFrom && logs.length < numbers.SPREAD_OF; at--) {
      if (this.#runs[at].group === group) logs.push(this.#runs[at].log);
    }
    if (logs.length < numbers.LEVEL_OF_ROW.runs) return null;
    const level = medianOf(logs.slice(0, numbers.USUAL_OF[this.of]));
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
  const groups = [...groupBy(runs, ({ local }) => groupOf(local)).values()];
  return medianOf(groups.flatMap((members) => {
    const logs = members.map(({ log }) => log).sort((a, b) => a - b);
    const middle = logs.length >> 1;
    // Few in a group show nothing.
    const isFew = logs.length < numbers.LEVEL_OF_ROW.runs;
    return logs.map((log, at) =>
      isFew
        ? Math.log(numbers.LEVEL_OF_ONE.factor)
        : Math.abs(log - logs[at < middle ? middle : middle - 1])
    );
  }));
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
