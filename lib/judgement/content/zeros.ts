/** Finds whether content that is usually there is missing: a number that has become zero. */
import { MAX_NAMED_RUNS } from "../reason.ts";
import { likelyShare } from "./surprise.ts";

/** The first streaks are reported at once, if at most this share of the runs was empty before. */
const FIRST_STREAKS = 3;
const RARE = 0.015;
/** Later streaks are reported if they surprise this much, in bits. */
const STREAK_BITS = 11;

/** Runs in a row without content. */
export interface EmptyStreak {
  readonly run: number;
  readonly since: number;
  count: number;
  /** The newest of them, oldest first. */
  runs: number[];
  isReported: boolean;
}

export interface ZeroMemory {
  /** How many runs had content, how many had none, and how many streaks without there were. */
  filled: number;
  empty: number;
  streaks: number;
  /** The newest runs, if they have no content. */
  streak: EmptyStreak | null;
}

export function emptyZeros(): ZeroMemory {
  return { filled: 0, empty: 0, streaks: 0, streak: null };
}

/** How many runs with content it takes to notice runs without. */
interface Enough {
  /** With fewer, no empty run is reported. */
  readonly few: number;
  /** With fewer, only two empty runs in a row are reported. */
  readonly many: number;
}

export function updateZeros(
  memory: ZeroMemory,
  { id, time, value }: { readonly id: number; readonly time: number; readonly value: number },
  enough: Enough,
): void {
  if (value > 0) {
    memory.filled++;
    memory.streaks += memory.streak ? 1 : 0;
    // A long streak that was reported does not show what is usual.
    if (memory.streak) memory.empty += memory.streak.isReported ? 1 : memory.streak.count;
    memory.streak = null;
    return;
  }
  if (memory.filled < enough.few) {
    memory.empty++;
    return;
  }
  memory.streak ??= { run: id, since: time, count: 0, runs: [], isReported: false };
  const { streak } = memory;
  streak.count++;
  streak.runs = [...streak.runs, id].slice(-MAX_NAMED_RUNS);
  streak.isReported ||= isSurprising(memory, streak.count, enough);
}

function isSurprising(
  { filled, empty, streaks }: ZeroMemory,
  count: number,
  { many }: Enough,
): boolean {
  const share = likelyShare(empty, filled + empty);
  const isRare = streaks < FIRST_STREAKS && empty <= RARE * (filled + empty);
  return isRare && (filled >= many || count > 1) || -count * Math.log2(share) > STREAK_BITS;
}
