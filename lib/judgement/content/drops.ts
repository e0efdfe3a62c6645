/** Whether a report goes to far fewer people than it usually does. */
import { MOST_RUNS } from "../reason.ts";
import { medianOf, surpriseBits } from "./surprise.ts";

/** This many earlier runs show what is usual; fewer than the least show nothing. */
const MOST_KNOWN = 60;
const FEWEST_KNOWN = 8;
/** The newest of them show how many people it is sent to. */
const LEVEL_OF = 30;
/** A drop leaves at most this share of them, and takes this many people at least. */
const DROPPED_TO = 0.5;
const LEAST_DROP = 2;
/** Runs are no longer dropped from this share on. */
const BACK_AT = 0.75;
/** Where earlier runs went to as few, only this much surprise counts. */
const DROP_BITS = 13;
/** Fewer recipients are usual after this many runs. */
const USUAL_AFTER = 12;

export interface Drop {
  readonly run: number;
  readonly since: number;
  count: number;
  /** The newest of them, oldest first. */
  runs: number[];
  readonly before: number;
  after: number;
  isUsual: boolean;
}

export interface DropMemory {
  /** The numbers of the newest usual runs, oldest first. */
  counts: number[];
  /** The most that were usual since the last drop: people may leave one by one. */
  most: number;
  /** The newest runs that went to so few, in a row, as earlier ones sometimes did. */
  few: [id: number, time: number][];
  drop: Drop | null;
}

export function noDrops(): DropMemory {
  return { counts: [], most: 0, few: [], drop: null };
}

export function readRecipients(
  memory: DropMemory,
  { id, time, count }: { readonly id: number; readonly time: number; readonly count: number },
): void {
  if (memory.drop && count >= memory.drop.before * BACK_AT) memory.drop = null;
  const { drop } = memory;
  if (drop && !drop.isUsual) {
    followDrop(memory, drop, id, count);
    return;
  }
  const usual = Math.max(medianOf(memory.counts.slice(-LEVEL_OF)), memory.most);
  const isFew = memory.counts.length >= FEWEST_KNOWN && count <= usual * DROPPED_TO &&
    usual - count >= LEAST_DROP;
  if (isFew) {
    memory.few.push([id, time]);
    const seen = memory.counts.filter((other) => other <= count).length;
    const share = (seen + 0.5) / (memory.counts.length + 1);
    if (seen === 0 || surpriseBits(memory.few.length, memory.few.length, share) >= DROP_BITS) {
      beginDrop(memory, usual, count);
      return;
    }
  } else memory.few = [];
  addCount(memory, count);
}

function beginDrop(memory: DropMemory, before: number, after: number): void {
  const [[run, since]] = memory.few;
  const runs = memory.few.map(([id]) => id).slice(-MOST_RUNS);
  memory.drop = { run, since, count: memory.few.length, runs, before, after, isUsual: false };
  memory.few = [];
}

function followDrop(memory: DropMemory, drop: Drop, id: number, count: number): void {
  drop.count++;
  drop.runs = [...drop.runs, id].slice(-MOST_RUNS);
  drop.after = count;
  if (drop.count < USUAL_AFTER) return;
  drop.isUsual = true;
  memory.counts = memory.counts.map(() => count);
  memory.most = count;
}

function addCount(memory: DropMemory, count: number): void {
  memory.counts.push(count);
  if (memory.counts.length > MOST_KNOWN) memory.counts.shift();
  if (memory.counts.length < FEWEST_KNOWN) return;
  memory.most = Math.max(memory.most, medianOf(memory.counts.slice(-LEVEL_OF)));
}
