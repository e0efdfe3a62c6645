/** How long after its start a run is listed; until then, it looks overdue. */
import type { EntryLag, WatchedRun } from "../../store/observer/types.ts";

/** With each further run, an observed lag counts this much less. */
const DECAY = 0.9;
/** A lag that was not observed again for this long is forgotten when a run comes promptly. */
const FORGOTTEN_MS = 20 * 3_600_000;
/** The longest lag that is believed, as a multiple of the usual duration, and its least value. */
const MAX_DURATIONS = 2;
const MIN_BOUND_MS = 120_000;

export const NO_LAG: EntryLag = { lag: null, observed: null, newestStart: null };

/** The lag that new runs show, except those that started before runs that were read earlier. */
export function entryLag(
  runs: readonly Pick<WatchedRun, "start">[],
  { before, polled, asked, everyMs }: {
    readonly before: EntryLag;
    /** When the history that was read last was asked for; null for never. */
    readonly polled: number | null;
    readonly asked: number;
    readonly everyMs: number;
  },
): EntryLag {
  const starts = runs.flatMap(({ start }) => start === null || start > asked ? [] : start);
  const newestStart = Math.max(before.newestStart ?? -Infinity, ...starts);
  let { lag, observed } = before;
  for (const start of starts) {
    if (polled === null || start <= (before.newestStart ?? -Infinity)) continue;
    if (start <= polled) {
      // It had started when the history was last read, but was not listed. After a long time without
      // an answer, only that much is certain.
      const shown = asked - polled <= 2 * everyMs ? asked - start : polled - start;
      lag = Math.max(shown, (lag ?? 0) * DECAY);
      observed = asked;
    } else if (asked - start <= 2 * everyMs) {
      // It was listed soon after its start.
      lag = observed !== null && asked - observed < FORGOTTEN_MS ? (lag ?? 0) * DECAY : 0;
    }
  }
  return { lag, observed, newestStart: Number.isFinite(newestStart) ? newestStart : null };
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
