/**
 * Keeps the newest copies of runs in memory, since most looks find nothing new and would read them
 * all again.
 */
import type { StoredWatch } from "../../store/observer/types.ts";
import type { WatchedRuns } from "../../store/observer/watched_runs.ts";
import { type KnownHistory, USUAL_RUNS } from "./read_changes.ts";

/** The newest copies of each schedule's runs. */
export interface KnownCopies {
  /** What is known of a watched schedule's history. */
  of(watch: Pick<StoredWatch, "scheduleId" | "polled">): Promise<KnownHistory>;
  /** Keeps the copies after a look that found nothing new; `polled` is its time. */
  keep(scheduleId: number, polled: number, known: KnownHistory): void;
}

/** At most this many characters of runs are kept: of 200 watches, if a run has 1,000. */
const MOST_KEPT = 10_000_000;
/** Who has not been looked at for this long is not watched any more, or by another instance. */
const LONGEST_KEPT_MS = 24 * 3_600_000;

interface Kept {
  readonly polled: number;
  readonly known: KnownHistory;
  readonly length: number;
}

/**
 * Keeps copies until another look at the schedule is recorded, by any instance: only looks change
 * copies, and each is recorded with its time. Watches are looked at in turn, so if not all fit, those
 * that are kept stay: to give up the oldest would give up each just before its next look.
 */
export function createKnownCopies(
  runs: Pick<WatchedRuns, "newestTexts" | "count">,
  most = MOST_KEPT,
): KnownCopies {
  const kept = new Map<number, Kept>();
  let length = 0;

  function forget(scheduleId: number): void {
    length -= kept.get(scheduleId)?.length ?? 0;
    kept.delete(scheduleId);
  }

  return {
    async of({ scheduleId, polled }) {
      const before = kept.get(scheduleId);
      if (before && before.polled === polled) return before.known;
      forget(scheduleId);
      const newest = await runs.newestTexts(scheduleId, USUAL_RUNS);
      const count = newest.length < USUAL_RUNS ? newest.length : await runs.count(scheduleId);
      return { newest, count };
    },
    keep(scheduleId, polled, known) {
      forget(scheduleId);
      const size = known.newest.reduce((sum, { text }) => sum + text.length, 0);
      // The first was looked at the longest ago.
      for (const [id, before] of kept) {
        if (before.polled >= polled - LONGEST_KEPT_MS) break;
        forget(id);
      }
      if (length + size > most) return;
      kept.set(scheduleId, { polled, known, length: size });
      length += size;
    },
  };
}
