/** Follows one number of a schedule's runs: finds a change, and later accepts it as usual. */
import { HOUR } from "../../time_units.ts";
import {
  addNumber,
  choosePeers,
  excessAt,
  type LevelChange,
  type LevelMemory,
  type LevelNumber,
  MAX_KNOWN,
  removeNewest,
  residualsOf,
} from "./level_memory.ts";
import { CHANGE_BITS, findChange, findClimb, type FoundChange, LEVEL_OF } from "./level_change.ts";
import { likelyShare, medianOf } from "./surprise.ts";
import { MAX_NAMED_RUNS } from "../reason.ts";

/** A new level is usual after this many runs, if it has settled by then. */
const USUAL_AFTER = 12;
/** It is usual after this many runs in any case. */
const USUAL_AT_LAST = 4 * USUAL_AFTER;
/** It has settled if the medians of both halves of these runs differ by less, in log2. */
const SETTLED = 0.25;
/** A change has ended if the return of the newest runs surprises this much, in bits. */
const RETURN_BITS = 5;
/** A change of fewer runs ends with the first run that returns. */
const MIN_HELD = 3;
/** A number has moved on to a further level if it differs by this much at least, in log2. */
const MIN_FURTHER = 1;
/** This many numbers of changes that ended are remembered. */
const MAX_ENDED = 60;

/** Adds a number to the memory; `mayClimb` also looks for slow climbs. */
export function updateLevel(
  memory: LevelMemory,
  added: LevelNumber,
  { mayClimb = false }: { readonly mayClimb?: boolean } = {},
): void {
  if (memory.change && !memory.change.isUsual) {
    followChange(memory, memory.change, added);
    return;
  }
  addNumber(memory, added);
  const change = findWithFreshPeers(memory);
  const climb = change || !mayClimb ? null : findClimb(memory);
  if (change) beginChange(memory, change);
  else if (climb) beginClimb(memory, climb);
  else forgetEnded(memory);
}

/** Finds a change that is still one when the peers are chosen without its runs. */
function findWithFreshPeers(memory: LevelMemory): FoundChange | null {
  const change = findChange(memory);
  if (change === null) return null;
  choosePeers(memory, change.count);
  return findChange(memory);
}

function beginChange(memory: LevelMemory, { count, before, after }: FoundChange): void {
  const { past } = memory;
  memory.held = removeNewest(memory, count);
  const isResumed = past && memory.sinceEnded <= USUAL_AFTER &&
    Math.sign(after - before) === Math.sign(past.after - past.before) &&
    !isBeyond(past, after);
  // A level that comes and goes is one change.
  memory.change = isResumed
    ? { ...past, count: past.count + count, returned: 0, further: 0 }
    : changeFrom(memory.held, before, after);
  memory.past = null;
}

/** Begins a climb. Its runs stay among the usual ones, because none of them is the first. */
function beginClimb(memory: LevelMemory, { count, before, after }: FoundChange): void {
  const { hours } = memory;
  const [id, time] = memory.newest.at(-1)!;
  // Hours are local, so only the difference between two of them can be used.
  const since = time - (hours.at(-1)! - hours[hours.length - count]) * HOUR;
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

/** Follows a change until it ends, becomes usual, or moves on to another. */
function followChange(memory: LevelMemory, change: LevelChange, added: LevelNumber): void {
  const number = added.number - excessAt(memory, added.hour);
  memory.held.push(added);
  if (isBack(change, number)) {
    change.returned++;
    if (hasEnded(memory, change)) endChange(memory, change);
    return;
  }
  change.returned = 0;
  if (isFurther(memory, change, number)) {
    memory.held = memory.held.slice(-change.further);
    const farthest = Math.abs(number - change.before);
    memory.change = { ...changeFrom(memory.held, change.before, number), farthest };
    return;
  }
  change.count++;
  change.runs = [...change.runs, added.id].slice(-MAX_NAMED_RUNS);
  const levels = memory.held.map(({ number, hour }) => number - excessAt(memory, hour));
  if (!change.isSlow) change.after = medianOf(levels);
  if (change.count >= USUAL_AFTER && (isSettled(levels) || change.count >= USUAL_AT_LAST)) {
    makeUsual(memory, change);
  }
}

function isBack({ isSlow, before, after }: LevelChange, number: number): boolean {
  return !isSlow && Math.abs(number - before) < Math.abs(number - after);
}

/** Whether more runs in a row have returned than chance explains during a change. */
function hasEnded({ held }: LevelMemory, change: LevelChange): boolean {
  if (change.count < MIN_HELD) return true;
  const returnedBefore = Math.max(0, held.length - change.count - change.returned);
  const share = likelyShare(returnedBefore, held.length - change.returned);
  return -change.returned * Math.log2(share) >= RETURN_BITS;
}

function endChange(memory: LevelMemory, change: LevelChange): void {
  const returned = memory.held.splice(-change.returned);
  const numbers = memory.held.map(({ number, hour }) => number - excessAt(memory, hour));
  memory.ended = [...memory.ended, ...numbers].slice(-MAX_ENDED);
  memory.change = null;
  memory.past = change;
  memory.sinceEnded = 0;
  memory.held = [];
  for (const each of returned) addNumber(memory, each);
}

/** Whether numbers moved on to another level, further away than they usually stray. */
function isFurther(memory: LevelMemory, change: LevelChange, number: number): boolean {
  // A level that moves between two others is reported once for each.
  const known = Math.abs(number - change.before) < (change.farthest ?? 0) + MIN_FURTHER;
  if (change.isSlow || known || !isBeyond(change, number)) {
    change.further = 0;
    return false;
  }
  change.further++;
  // A single number is no level.
  if (change.further === 1) return false;
  const residuals = residualsOf(memory, MAX_KNOWN);
  const level = medianOf(residuals.slice(-LEVEL_OF));
  const stray = (number - change.after) / 2;
  const strays = residuals.filter((each) => (each - level) / stray >= 1);
  const share = likelyShare(strays.length, residuals.length);
  return strays.length === 0 || -change.further * Math.log2(share) >= CHANGE_BITS;
}

/** Whether a number is much further away than the level of a change. */
function isBeyond({ before, after }: LevelChange, number: number): boolean {
  const distance = after - before;
  const beyond = (number - after) * Math.sign(distance);
  return beyond >= Math.max(MIN_FURTHER, Math.abs(distance) / 2);
}

/** Whether the newest numbers no longer move. */
function isSettled(levels: readonly number[]): boolean {
  const half = USUAL_AFTER / 2;
  const newest = levels.slice(-USUAL_AFTER);
  return Math.abs(medianOf(newest.slice(half)) - medianOf(newest.slice(0, half))) < SETTLED;
}

/** Accepts a new level as usual, by moving all earlier numbers to it. */
function makeUsual(memory: LevelMemory, change: LevelChange): void {
  const difference = change.isSlow ? 0 : change.after - change.before;
  memory.numbers = memory.numbers.map((number) => Math.round((number + difference) * 1000) / 1000);
  const { held } = memory;
  memory.held = [];
  memory.ended = [];
  for (const each of held) addNumber(memory, each);
  memory.sinceUsual = 0;
  change.isUsual = true;
}

/** Forgets a change that had become usual, once the level is back. */
function forgetEnded(memory: LevelMemory): void {
  const { change, numbers } = memory;
  if (!change) return;
  const level = medianOf(numbers.slice(-LEVEL_OF));
  if (Math.abs(level - change.before) < Math.abs(level - change.after)) memory.change = null;
}
