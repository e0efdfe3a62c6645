/** Finds new levels of one number of a schedule's runs: a size, or the duration. */
import { groupBy } from "../../group_by.ts";
import { quantile } from "../../runs/quantiles.ts";
import { DAY, HOUR } from "../../time_units.ts";
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

export interface Level {
  /** The runs that have it, oldest first. */
  readonly runs: readonly ComparedRun[];
  /** What was usual before, and what is now. */
  readonly before: number;
  readonly after: number;
  /** The median distance of its runs from what was usual for each, as a logarithm. */
  readonly distance: number;
  /** Whether it was reached slowly, so that no run is the first with it. */
  readonly isSlow: boolean;
}

interface LevelOptions {
  /** Durations: only higher levels, and never by one run, since a single slow run harms nobody. */
  readonly isDuration?: boolean;
  /** The first runs of levels that people expect, which are usual at once. */
  readonly expected: ReadonlySet<number>;
}

/** Maps a local time to the group of runs that it is compared with. */
type Grouping = (local: number) => number;

const isWeekend: Grouping = (local) => Number(weekdayAt(local) % 6 === 0);
const hour: Grouping = (local) => Math.floor((local % DAY + DAY) % DAY / HOUR);

const date: Grouping = (local) => new Date(local).getUTCDate();

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
  /** How far it was from what was usual then. */
  distance: number;
  standsOut: boolean;
  group: number;
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
  readonly #options: LevelOptions;
  readonly #runs: ComparedRun[] = [];
  #groupOf = GROUPINGS[0];
  #regroupAt = 2 * numbers.ROW;
  /** How many runs there were when the last level became usual. */
  #usualAt = 0;
  /** The first run of that level. */
  #peersFrom = 0;

  constructor(options: LevelOptions) {
    this.#options = options;
  }

  add(run: RunValue): void {
    if (this.#runs.length >= this.#regroupAt) this.#regroup();
    const group = this.#groupOf(run.local);
    const usual = this.#usualIn(group);
    const log = Math.log(run.value);
    const distance = log - (usual?.level ?? log);
    const limit = usual ? beyond(numbers.LEVEL_OF_ROW, usual.spread) : Infinity;
    const standsOut = Math.abs(distance) > limit;
    const compared = { ...run, log, distance, standsOut, group };
    this.#runs.push(compared);
    if (usual === null || this.#isYoung()) return;
    if (this.level) this.#follow(this.level, compared, usual);
    this.level ??= this.#newLevel(usual) ?? this.#newClimb();
    const isUsual = this.level && (this.level.runs.length >= numbers.USUAL_AFTER ||
      this.#options.expected.has(this.level.runs[0].id));
    if (isUsual) this.#accept(this.level!);
  }

  #isYoung(): boolean {
    const isNew = this.#runs.at(-1)!.time - this.#runs[0].time < numbers.YOUNG_DAYS * DAY;
    return isNew && this.#runs.length <= numbers.EARLIER_RUNS;
  }

  /** Ends a level when values are back, or go further; otherwise adds the newest run to it. */
  #follow(level: Level, run: ComparedRun, usual: Usual): void {
    const { distance } = run;
    // Weekends of 0.1 MB among days of 1 MB: if all are twice as large, both are at the new level.
    const isBack = Math.abs(distance) < Math.abs(distance - level.distance);
    const further = this.#options.isDuration ? null : this.#newLevel(usual);
    const limit = beyond(numbers.LEVEL_OF_ONE, usual.spread);
    if (isBack && !level.isSlow) this.level = null;
    else if (further && Math.abs(further.distance - level.distance) > limit) this.level = further;
    else this.level = toLevel([...level.runs, run], level);
  }

  /** From now on a level is usual, and peers begin at its first run. */
  #accept(level: Level): void {
    [this.level, this.usualLevel, this.#usualAt] = [null, level, this.#runs.length];
    // What is usual has followed a slow climb already.
    if (level.isSlow) return;
    this.#peersFrom = this.#runs.indexOf(level.runs[0]);
    for (const run of this.#runs.slice(this.#peersFrom)) run.standsOut = false;
  }

  #newLevel(usual: Usual): Level | null {
    const { isDuration } = this.#options;
    const isOne = !isDuration && this.#isNew(1, numbers.LEVEL_OF_ONE, usual);
    const isRow = isOne || this.#isNew(numbers.ROW, numbers.LEVEL_OF_ROW, usual);
    if (!isRow || isDuration && this.#runs.at(-1)!.distance < 0) return null;
    const row = this.#runs.slice(isOne ? -1 : -numbers.ROW);
    const middle = medianOf(row.map(({ distance }) => distance));
    const limit = beyond(numbers.LEVEL_OF_ROW, usual.spread);
    // 5 MB, 1.6 MB, 1.6 MB, usually 0.5: the first of these runs was at a level before.
    const runs = row.filter(({ distance }) => Math.abs(distance - middle) <= limit);
    return toLevel(runs, { before: Math.exp(usual.level), isSlow: false });
  }

  /** Whether the newest runs are far out, on one side, as hardly any earlier ones were. */
  #isNew(count: number, kind: typeof numbers.LEVEL_OF_ONE, { spread }: Usual): boolean {
    const newest = this.#runs.slice(-count);
    const side = Math.sign(newest[0].distance);
    const nearest = Math.min(...newest.map(({ distance }) => distance * side));
    if (nearest <= beyond(kind, spread)) return false;
    const earlier = this.#runs.slice(-count - numbers.EARLIER_RUNS, -count);
    const isObvious = nearest > Math.log(numbers.ALMOST_EMPTY);
    if (earlier.length < (isObvious ? numbers.LEVEL_OF_ROW : kind).least) return false;
    const far = numbers.AS_FAR_OUT * nearest;
    const log = medianOf(newest.map((each) => each.log));
    const near = beyond(numbers.SAME_VALUE, spread);
    const few = kind.share * earlier.length;
    return earlier.filter(({ distance }) => distance * side >= far).length < few &&
      earlier.filter((each) => Math.abs(each.log - log) <= near).length < few;
  }

  #newClimb(): Level | null {
    const { factor, newest, from, to } = numbers.CLIMB;
    const count = this.#runs.length;
    const least = Math.max(numbers.LEVEL_OF_ONE.least, this.#usualAt + from);
    if (!this.#options.isDuration || count < least) return null;
    const median = (some: readonly ComparedRun[]) => medianOf(some.map(({ log }) => log));
    const before = median(this.#runs.slice(-from, -to));
    const climb = median(this.#runs.slice(-newest)) - before;
    if (climb < Math.log(factor)) return null;
    const earlier = this.#runs.slice(-numbers.EARLIER_RUNS, -to);
    const high = before + numbers.AS_FAR_OUT * climb;
    const few = numbers.LEVEL_OF_ROW.share * numbers.EARLIER_RUNS;
    if (earlier.filter(({ log }) => log >= high).length >= few) return null;
    return toLevel(this.#runs.slice(-1), { before: Math.exp(before), isSlow: true });
  }

  /** What is usual for a group; null if few runs of it are known. */
  #usualIn(group: number): Usual | null {
    const isPeer = (run: ComparedRun) => run.group === group;
    const usual = this.#newest((run) => isPeer(run) && !run.standsOut);
    const some = usual.length >= numbers.ROW ? usual : this.#newest(isPeer);
    if (some.length < numbers.ROW) return null;
    const level = medianOf(some.slice(0, numbers.USUAL_OF));
    const spread = medianOf(some.map((log) => Math.abs(log - level)));
    return { level, spread: Math.max(numbers.MIN_SPREAD, spread) };
  }

  /** The values of the newest of some runs, newest first. */
  #newest(isWanted: (run: ComparedRun) => boolean): number[] {
    const found: number[] = [];
    for (
      let at = this.#runs.length - 1;
      at >= this.#peersFrom && found.length < numbers.SPREAD_OF;
      at--
    ) {
      if (isWanted(this.#runs[at])) found.push(this.#runs[at].log);
    }
    return found;
  }

  /** Chooses the simplest grouping, unless another describes the runs much better. */
  #regroup(): void {
    this.#regroupAt = Math.ceil(this.#runs.length * numbers.REGROUP_GROWTH);
    const before = this.#groupOf;
    const peers = this.#runs.slice(this.#peersFrom);
    const newest = peers.slice(-numbers.EARLIER_RUNS);
    let least = Infinity;
    for (const groupOf of GROUPINGS) {
      const deviation = deviationWithin(newest, groupOf);
      if (deviation < least * numbers.GROUP_GAIN) [this.#groupOf, least] = [groupOf, deviation];
    }
    for (const run of this.#runs) run.group = this.#groupOf(run.local);
    if (this.#groupOf === before) return;
    // What stood out may be usual in its group, as weekends are.
    for (const run of peers) run.standsOut = false;
    for (const [group, members] of groupBy(peers, (run) => run.group)) {
      const usual = this.#usualIn(group);
      for (const run of members) run.distance = usual ? run.log - usual.level : 0;
    }
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
function toLevel(
  runs: readonly ComparedRun[],
  { before, isSlow }: Pick<Level, "before" | "isSlow">,
): Level {
  const distance = medianOf(runs.map((run) => run.distance));
  const after = isSlow ? medianOf(runs.map(({ value }) => value)) : before * Math.exp(distance);
  return { runs, before, after, distance, isSlow };
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
