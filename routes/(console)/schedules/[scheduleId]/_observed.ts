import type { ObservedSchedule } from "../../../../components/runs/verdict/observation.tsx";
import { type LastPoll, loadLastPoll } from "../../../../server/observer/shown_verdict.ts";
import { whyNotObserved } from "../../../../server/observer/service_observer.ts";
import { loadSilences } from "../../_silences.ts";
import { incidentRow } from "../../incidents/_incidents.ts";
import type { State } from "../../_middleware.ts";

/** The most incidents on a schedule's page: open ones, and the newest that ended. */
const MOST_INCIDENTS = 100;

/** What the last poll of a schedule found; null if it is not watched. */
export async function loadObserved(
  { services, preferences: { zone } }: Pick<State, "services" | "preferences">,
  scheduleId: number,
): Promise<{ readonly observed: ObservedSchedule; readonly last: LastPoll | null } | null> {
  const { records } = services;
  if (!records || whyNotObserved(services) !== null) return null;
  const watch = await records.watches.get(scheduleId);
  if (!watch) return null;
  const now = Date.now();
  const [last, { items }, silences] = await Promise.all([
    loadLastPoll(records, watch),
    records.incidents.list({ scheduleId, limit: MOST_INCIDENTS }),
    loadSilences(records, [watch], now),
  ]);
  const incidents = items.map((incident) => incidentRow(incident, null, zone));
  const observed = {
    polled: watch.polled,
    isDue: watch.due <= now,
    silences: silences.get(scheduleId) ?? [],
    failure: watch.failures > 0 ? watch.failure : null,
    incidents: incidents.filter(({ resolved }) => resolved === null),
    marked: incidents.toSorted((a, b) => b.opened - a.opened),
  };
  return { observed, last };
}
