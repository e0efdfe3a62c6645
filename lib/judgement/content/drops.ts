/** Finds whether a report goes to far fewer people than usual. */
import { MAX_NAMED_RUNS } from "../reason.ts";
import { likelyShare, medianOf } from "./surprise.ts";

/** This many earlier runs are remembered; with fewer than the second number, nothing is usual. */
const MAX_KNOWN = 60;
const MIN_KNOWN = 8;
/** The usual number of people is the median of this many of the newest runs. */
const LEVEL_OF = 30;
/** A drop leaves at most this share of the people, and at least this many fewer. */
const DROPPED_TO = 0.5;
const MIN_DROP = 2;
/** A drop has ended once this share of the people is reached again. */
const BACK_AT = 0.75;
/** If earlier runs went to as few people, a drop needs this much surprise, in bits. */
const DROP_BITS = 13;
/** After this many runs, the lower number is usual. */
const USUAL_AFTER = 12;

export interface Drop {
  readonly run: number;
  readonly since: number;
  count: number;
  /** The newest runs with it, oldest first. */
  runs: number[];
  readonly before: number;
  after: number;
  isUsual: boolean;
}

export interface DropMemory {
  /** The numbers of the newest usual runs, oldest first. */
  counts: number[];
  /** The highest usual number since the last drop, so that people who leave one by one add up. */
  most: number;
  /** The newest consecutive runs that went to few people, as earlier ones sometimes did. */
  few: [id: number, time: number][];
  drop: Drop | null;
}

export function emptyDrop(): DropMemory {
  return { counts: [], most: 0, few: [], drop: null };
}

export function updateDrop(
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
  const isFew = memory.counts.length >= MIN_KNOWN && count <= usual * DROPPED_TO &&
    usual - count >= MIN_DROP;
  if (isFew) {
    memory.few.push([id, time]);
    const seen = memory.counts.filter((other) => other <= count).length;
    const share = likelyShare(seen, memory.counts.length);
    if (seen === 0 || -memory.few.length * Math.log2(share) >= DROP_BITS) {
      beginDrop(memory, usual, count);
      return;
    }
  } else memory.few = [];
  addCount(memory, count);
}

function beginDrop(memory: DropMemory, before: number, after: number): void {
  const [[run, since]] = memory.few;
  const runs = memory.few.map(([id]) => id).slice(-MAX_NAMED_RUNS);
  memory.drop = { run, since, count: memory.few.length, runs, before, after, isUsual: false };
  memory.few = [];
}

function followDrop(memory: DropMemory, drop: Drop, id: number, count: number): void {
  drop.count++;
  drop.runs = [...drop.runs, id].slice(-MAX_NAMED_RUNS);
  drop.after = count;
  if (drop.count < USUAL_AFTER) return;
  drop.isUsual = true;
  memory.counts = memory.counts.map(() => count);
  memory.most = count;
}

function addCount(memory: DropMemory, count: number): void {
  memory.counts.push(count);
  if (memory.counts.length > MAX_KNOWN) memory.counts.shift();
  if (memory.counts.length < MIN_KNOWN) return;
  memory.most = Math.max(memory.most, medianOf(memory.counts.slice(-LEVEL_OF)));
}
