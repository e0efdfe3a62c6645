/**
 * How long after its start a run comes into the history. The interface does not say: some services list
 * a run when it starts, others when it has ended. Until it is there, nobody can tell it from one that
 * is overdue.
 */
import type { WatchedRun } from "../../store/observer/types.ts";

/** Each further run makes a lag that was seen count this much less. */
const DECAY = 0.9;
/** No lag is believed that is longer than this many usual durations, and at least this long. */
const MOST_DURATIONS = 2;
const LEAST_BOUND_MS = 120_000;

/** The lag that new runs show; `before` is what was known, null for nothing. */
export function entryLag(
  runs: readonly WatchedRun[],
  { before, looked, now, everyMs }: {
    readonly before: number | null;
    /** When the history was last read before; null for never. */
    readonly looked: number | null;
    readonly now: number;
    readonly everyMs: number;
  },
): number | null {
  if (looked === null) return before;
  return runs.reduce<number | null>((lag, { start }) => {
    if (start === null || start > now) return lag;
    // It had started when the history was read before, and was not there.
    if (start <= looked) return Math.max(now - start, (lag ?? 0) * DECAY);
    // It was there soon after its start.
    return now - start <= 2 * everyMs ? (lag ?? 0) * DECAY : lag;
  }, before);
}

/** The lag to wait for: what was seen, or how long runs take where nothing was seen yet. */
export function lagToWaitFor(
  seen: number | null,
  usualDuration: number | null,
  isConfirmed: boolean,
): number {
  const bound = Math.max((usualDuration ?? 0) * MOST_DURATIONS, LEAST_BOUND_MS);
  // A person's grace is taken by its word until the service shows that it can't be.
  const lag = seen ?? (isConfirmed ? 0 : usualDuration ?? 0);
  return Math.round(Math.min(lag, bound));
}
