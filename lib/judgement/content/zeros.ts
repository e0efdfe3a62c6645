/** Whether content that is usually there is missing: a number that has become zero. */
import { MOST_RUNS } from "../reason.ts";

/** The first times are reported at once, if fewer runs than this share were empty before. */
const FIRST_TIMES = 3;
const RARE = 0.015;
/** Later only rows of runs are reported, from this much surprise on, in bits. */
const ROW_BITS = 11;

export interface EmptyRow {
  readonly run: number;
  readonly since: number;
  count: number;
  /** The newest of them, oldest first. */
  runs: number[];
  isReported: boolean;
}

export interface ZeroMemory {
  /** How many runs had content, how many had none, and how many rows of those there were. */
  filled: number;
  empty: number;
  rows: number;
  /** The newest runs, if they have none. */
  row: EmptyRow | null;
}

export function noZeros(): ZeroMemory {
  return { filled: 0, empty: 0, rows: 0, row: null };
}

interface Enough {
  /** Fewer show nothing. */
  readonly few: number;
  /** After fewer, only two empty runs in a row are reported. */
  readonly many: number;
}

export function readZero(
  memory: ZeroMemory,
  { id, time, value }: { readonly id: number; readonly time: number; readonly value: number },
  enough: Enough,
): void {
  if (value > 0) {
    memory.filled++;
    memory.rows += memory.row ? 1 : 0;
    // A long row that was reported shows nothing of what is usual.
    if (memory.row) memory.empty += memory.row.isReported ? 1 : memory.row.count;
    memory.row = null;
    return;
  }
  if (memory.filled < enough.few) {
    memory.empty++;
    return;
  }
  memory.row ??= { run: id, since: time, count: 0, runs: [], isReported: false };
  const { row } = memory;
  row.count++;
  row.runs = [...row.runs, id].slice(-MOST_RUNS);
  row.isReported ||= isSurprising(memory, row.count, enough);
}

function isSurprising(
  { filled, empty, rows }: ZeroMemory,
  count: number,
  { many }: Enough,
): boolean {
  const share = (empty + 0.5) / (filled + empty + 1);
  const isRare = rows < FIRST_TIMES && empty <= RARE * (filled + empty);
  return isRare && (filled >= many || count > 1) || -count * Math.log2(share) > ROW_BITS;
}
