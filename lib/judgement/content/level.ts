/** Follows one number of a schedule's runs: finds a change, and later accepts it as usual. */
import {
  addNumber,
  choosePeers,
  copyLevel,
  emptyLevel,
  excessAt,
  type LevelChange,
  type LevelMemory,
  type LevelNumber,
  MOST_KNOWN,
  residualsOf,
  takeNewest,
} from "./level_memory.ts";
import { CHANGE_BITS, findChange, findClimb, type FoundChange, LEVEL_OF } from "./level_change.ts";
import { medianOf } from "./surprise.ts";
import { MOST_RUNS } from "../reason.ts";

export { copyLevel, emptyLevel, type LevelChange, type LevelMemory, type LevelNumber };

/** A new level is usual after this many runs, if it has settled by then. */
const USUAL_AFTER = 12;
/** It is usual after this many runs in any case. */
const USUAL_AT_LAST = 4 * USUAL_AFTER;
/** It has settled if both halves of these runs differ by less, in log2. */
const SETTLED = 0.25;
/** A change has ended if runs are back by this much surprise. */
const RETURN_BITS = 5;
/** Fewer runs with a change are over with the first that is back. */
const FEWEST_HELD = 3;
/** A number is further away if it is so by this much at least, in log2. */
const LEAST_FURTHER = 1;
/** This many numbers of changes that ended are remembered. */
const MOST_ENDED = 60;

export function readNumber(
  memory: LevelMemory,
  one: LevelNumber,
  { mayClimb }: { readonly mayClimb: boolean },
): void {
  if (memory.change && !memory.change.isUsual) {
    followChange(memory, memory.change, one);
    return;
  }
  addNumber(memory, one);
  const change = findByFreshPeers(memory);
  const climb = change || !mayClimb ? null : findClimb(memory);
  if (change) beginChange(memory, change);
  else if (climb) beginClimb(memory, climb);
  else forgetEnded(memory);
}

/** A change that remains after choosing the peers without it. */
function findByFreshPeers(memory: LevelMemory): FoundChange | null {
  const change = findChange(memory);
  if (change === null) return null;
  choosePeers(memory, change.count);
  return findChange(memory);
}

function beginChange(memory: LevelMemory, { count, before, after }: FoundChange): void {
  const { past } = memory;
  memory.held = takeNewest(memory, count);
  const isResumed = past && memory.sinceEnded <= USUAL_AFTER &&
    Math.sign(after - before) === Math.sign(past.after - past.before) &&
    !isBeyond(past, after);
  // A level that comes and goes is one change.
  memory.change = isResumed
    ? { ...past, count: past.count + count, returned: 0, further: 0 }
    : changeFrom(memory.held, before, after);
  memory.past = null;
}

/** The runs of a climb stay among the usual ones: no run is the first of it. */
function beginClimb(memory: LevelMemory, { count, before, after }: FoundChange): void {
  const { hours } = memory;
  const [id, time] = memory.newest.at(-1)!;
  // Hours are those of the plan's zone, so only the time between two of them is known.
  const since = time - (hours.at(-1)! - hours[hours.length - count]) * 3_600_000;
  memory.held = [];
  memory.change = { ...changeFrom([{ id, time: since }], before, after), isSlow: true };
}

function changeFrom(
  runs: readonly Pick<LevelNumber, "id" | "time">[],
  before: number,
  after: number,
): LevelChange {
  return {
    run: runs[0].id,
    since: runs[0].time,
    count: runs.length,
    runs: runs.map(({ id }) => id),
    before,
    after,
    isSlow: false,
    isUsual: false,
    returned: 0,
    further: 0,
  };
}

/** Follows a change until it ends, is usual, or is followed by another. */
function followChange(memory: LevelMemory, change: LevelChange, one: LevelNumber): void {
  const number = one.number - excessAt(memory, one.hour);
  memory.held.push(one);
  if (isBack(change, number)) {
    change.returned++;
    if (hasEnded(memory, change)) endChange(memory, change);
    return;
  }
  change.returned = 0;
  if (isFurther(memory, change, number)) {
    memory.held = [one];
    const farthest = Math.abs(number - change.before);
    memory.change = { ...changeFrom([one], change.before, number), farthest };
    return;
  }
  change.count++;
  change.runs = [...change.runs, one.id].slice(-MOST_RUNS);
  const levels = memory.held.map(({ number, hour }) => number - excessAt(memory, hour));
  if (!change.isSlow) change.after = medianOf(levels);
  if (change.count >= USUAL_AFTER && (isSettled(levels) || change.count >= USUAL_AT_LAST)) {
    makeUsual(memory, change);
  }
}

function isBack({ isSlow, before, after }: LevelChange, number: number): boolean {
  return !isSlow && Math.abs(number - before) < Math.abs(number - after);
}

/** Whether more runs in a row are back than chance explains during a change. */
function hasEnded({ held }: LevelMemory, change: LevelChange): boolean {
  if (change.count < FEWEST_HELD) return true;
  const back = held.length - change.count - change.returned;
  const share = (Math.max(0, back) + 0.5) / (held.length - change.returned + 1);
  return -change.returned * Math.log2(share) >= RETURN_BITS;
}

function endChange(memory: LevelMemory, change: LevelChange): void {
  const back = memory.held.splice(-change.returned);
  const numbers = memory.held.map(({ number, hour }) => number - excessAt(memory, hour));
  memory.ended = [...memory.ended, ...numbers].slice(-MOST_ENDED);
  memory.change = null;
  memory.past = change;
  memory.sinceEnded = 0;
  memory.held = [];
  for (const one of back) addNumber(memory, one);
}

/** Whether numbers went on to another level, further away than they usually stray. */
function isFurther(memory: LevelMemory, change: LevelChange, number: number): boolean {
  // A level that moves between two others is reported once for each.
  const known = Math.abs(number - change.before) < (change.farthest ?? 0) + LEAST_FURTHER;
  if (change.isSlow || known || !isBeyond(change, number)) {
    change.further = 0;
    return false;
  }
  change.further++;
  const residuals = residualsOf(memory, MOST_KNOWN);
  const level = medianOf(residuals.slice(-LEVEL_OF));
  const stray = (number - change.after) / 2;
  const strays = residuals.filter((one) => (one - level) / stray >= 1);
  const share = (strays.length + 0.5) / (residuals.length + 1);
  return strays.length === 0 || -change.further * Math.log2(share) >= CHANGE_BITS;
}

/** Whether a number is much further away than a change went. */
function isBeyond({ before, after }: LevelChange, number: number): boolean {
  const distance = after - before;
  const beyond = (number - after) * Math.sign(distance);
  return beyond >= Math.max(LEAST_FURTHER, Math.abs(distance) / 2);
}

/** Whether the newest numbers no longer move. */
function isSettled(levels: readonly number[]): boolean {
  const half = USUAL_AFTER / 2;
  const newest = levels.slice(-USUAL_AFTER);
  return Math.abs(medianOf(newest.slice(half)) - medianOf(newest.slice(0, half))) < SETTLED;
}

/** Makes the new level usual: earlier numbers count as if they had had it. */
function makeUsual(memory: LevelMemory, change: LevelChange): void {
  const difference = change.isSlow ? 0 : change.after - change.before;
  memory.numbers = memory.numbers.map((number) => Math.round((number + difference) * 1000) / 1000);
  const { held } = memory;
  memory.held = [];
  memory.ended = [];
  for (const one of held) addNumber(memory, one);
  memory.sinceUsual = 0;
  change.isUsual = true;
}

/** Forgets a change that is usual by now, once it has ended. */
function forgetEnded(memory: LevelMemory): void {
  const { change, numbers } = memory;
  if (!change) return;
  const level = medianOf(numbers.slice(-LEVEL_OF));
  if (Math.abs(level - change.before) < Math.abs(level - change.after)) memory.change = null;
}
