/**
 * How long after its start a run appears in the history. The interface does not say: some services
 * list a run when it starts, others when it has ended. Until then, it looks like an overdue run.
 */
import type { WatchedRun } from "../../store/observer/types.ts";

/** With each further run, an observed lag counts this much less. */
const DECAY = 0.9;
/** The longest lag that is believed, as a multiple of the usual duration, and its least value. */
const MAX_DURATIONS = 2;
const MIN_BOUND_MS = 120_000;

/** The lag that new runs show; `before` is the lag known so far, or null. */
export function entryLag(
  runs: readonly WatchedRun[],
  { before, polled, now, everyMs }: {
    readonly before: number | null;
    /** When the history was last read before; null for never. */
    readonly polled: number | null;
    readonly now: number;
    readonly everyMs: number;
  },
): number | null {
  if (polled === null) return before;
  return runs.reduce<number | null>((lag, { start }) => {
    if (start === null || start > now) return lag;
    // It had started when the history was last read, but was not listed.
    if (start <= polled) return Math.max(now - start, (lag ?? 0) * DECAY);
    // It was listed soon after its start.
    return now - start <= 2 * everyMs ? (lag ?? 0) * DECAY : lag;
  }, before);
}

/** The lag to wait for: the observed one, or the usual duration if none was observed yet. */
export function lagToWaitFor(
  seen: number | null,
  usualDuration: number | null,
  isConfirmed: boolean,
): number {
  const bound = Math.max((usualDuration ?? 0) * MAX_DURATIONS, MIN_BOUND_MS);
  // A confirmed grace is taken literally until the service shows that it is too short.
  const lag = seen ?? (isConfirmed ? 0 : usualDuration ?? 0);
  return Math.round(Math.min(lag, bound));
}
