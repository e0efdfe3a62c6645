/** Judges a schedule by its stored runs and the changes that a poll read. */
import { meaningOf } from "../../lib/runs/status.ts";
import { DAY, HOUR, SECOND } from "../../lib/time_units.ts";
import { recipientFacts } from "../schedules/recipient_facts.ts";
import { type EntryLag, NO_LAG } from "../store/records/verdicts.ts";
import type { LeasedWatch } from "../store/records/polls.ts";
import type { WatchedRun } from "../store/runs/store_runs.ts";
import type { StoredRunText } from "../store/runs/read_runs.ts";
import type { PollServices } from "./poll_services.ts";
import type { HistoryChanges } from "./read_changes.ts";
import type { Polled } from "./record_poll.ts";
import { CLOCK_OFF_MS } from "./service_access.ts";

/** Runs of this long are judged, but at least and at most so many. */
const JUDGED_MS = 400 * DAY;
const JUDGED_RUNS = { least: 60, most: 10_000 };

export interface ReadRuns extends Pick<Polled, "changes" | "newest" | "hasMore"> {
  /** Whether any run changed, also an older one. */
  readonly isChanged: boolean;
  /** When the newest run started that was stored before; null if there was none. */
  readonly newestStart: number | null;
}

/** Judges the stored runs if they or an option changed, or if time alone may change the verdict. */
export async function judgePoll(
  watch: LeasedWatch,
  read: ReadRuns,
  requested: number,
  services: PollServices,
): Promise<Polled> {
  const { records, access, judge, everyMs, zone } = services;
  const { scheduleId, plans, pauses } = watch;
  const { changes } = read;
  // Verdicts use the service's clock; incidents and due times use the clock of this machine.
  const measured = requested + (access.clock?.offset() ?? 0);
  // The service's clock is known to half a second, and a run that it lists has started.
  const listed = read.newest[0]?.start ?? measured;
  const now = listed <= measured + SECOND ? Math.max(measured, listed) : measured;
  const polled = { ...read, at: requested, offset: now - requested };
  const before = await records.verdicts.get(scheduleId);
  const isJudged = read.isChanged || !before || watch.failures > 0 || now >= before.holdsUntil ||
    now < before.judged - CLOCK_OFF_MS;
  if (!isJudged) return { ...polled, isJudged, verdict: before };
  const stored = await records.runs.textsSince(scheduleId, now - JUDGED_MS, JUDGED_RUNS);
  const runs = runsAfter(stored, changes).slice(0, JUDGED_RUNS.most);
  const lag = entryLag(before?.details.lag ?? NO_LAG, changes.put, {
    newestStart: read.newestStart,
    polled: watch.polled === null ? null : watch.polled + polled.offset,
    requested: now,
    everyMs,
  });
  const statuses = await records.statuses.dictionary();
  const sent = changes.put.filter(({ run }) => meaningOf(run.status, statuses) === "good")
    .reduce<WatchedRun | null>(
      (last, run) => (run.start ?? 0) > (last?.start ?? 0) ? run : last,
      null,
    );
  const judged = await judge({
    runs: `[${runs.map(({ text }) => text).join(",")}]`,
    now,
    statuses,
    plans,
    pauses,
    zone,
    lag: lag.lag,
    calendar: await records.calendars.daysFor(scheduleId),
    recipientFacts: await recipientFacts(records, services, {
      ...{ scheduleId, now },
      starts: runs.map(({ start }) => start),
      // Whoever left may be listed for the first time.
      sentTo: sent?.run.recipients ?? [],
    }),
  });
  const verdict = { scheduleId, ...judged, details: { ...judged.details, lag } };
  return { ...polled, isJudged, verdict };
}

export function runsAfter(
  stored: readonly StoredRunText[],
  { put, removed }: Pick<HistoryChanges, "put" | "removed">,
): readonly StoredRunText[] {
  if (put.length === 0 && removed.length === 0) return stored;
  const replaced = new Set([...removed, ...put.map(({ id }) => id)]);
  return [
    ...put.map(({ id, start, run }) => ({ id, start, text: JSON.stringify(run) })),
    ...stored.filter(({ id }) => !replaced.has(id)),
  ].sort((a, b) => (b.start ?? -Infinity) - (a.start ?? -Infinity));
}

/** A lag is forgotten if it was not observed again for this long: on the next day, for a daily run. */
const FORGOTTEN_MS = 20 * HOUR;

/** The lag in listing runs, as the runs show that are new and newer than those before. */
function entryLag(
  { lag, observed }: EntryLag,
  runs: readonly Pick<WatchedRun, "start">[],
  { newestStart, polled, requested, everyMs }: {
    readonly newestStart: number | null;
    /** When the previous history was requested; null for never. */
    readonly polled: number | null;
    readonly requested: number;
    readonly everyMs: number;
  },
): EntryLag {
  for (const { start } of runs) {
    const isNew = start !== null && start > (newestStart ?? -Infinity) && start <= requested;
    if (!isNew || polled === null) continue;
    const isKnown = observed !== null && requested - observed < FORGOTTEN_MS;
    if (start <= polled) {
      // 06:00 started, 06:04 not listed, 06:05 listed: 5 minutes; where 09:00 is the next poll, too.
      const seen = Math.min(requested, polled + everyMs) - start;
      lag = Math.max(seen, isKnown ? lag ?? 0 : 0);
      observed = requested;
    } else if (!isKnown && requested - start <= 2 * everyMs) {
      lag = 0;
    }
  }
  return { lag, observed };
}
