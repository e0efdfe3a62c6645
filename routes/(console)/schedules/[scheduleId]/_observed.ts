import type { ObservedSchedule } from "../../../../components/runs/verdict/observation.tsx";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import { type LastLook, loadLastLook } from "../../../../server/observer/shown_verdict.ts";
import { statusWords } from "../../../../server/schedules/status_dictionary.ts";
import type { Services } from "../../../../server/program/services.ts";
import { incidentRow, whyNotLooked } from "../../incidents/_incidents.ts";

/** The most incidents on a schedule's page: open ones, and the newest that ended. */
const MOST_INCIDENTS = 100;

/** What the observer last saw of a schedule; null if nobody watches it. */
export async function loadObserved(
  services: Services,
  scheduleId: number,
): Promise<{ readonly observed: ObservedSchedule; readonly last: LastLook | null } | null> {
  const { records } = services;
  if (!records || whyNotLooked(services) !== null) return null;
  const watch = await records.watches.get(scheduleId);
  if (!watch) return null;
  const [last, { items }] = await Promise.all([
    loadLastLook(records, watch),
    records.incidents.list({ scheduleId, limit: MOST_INCIDENTS }),
  ]);
  const now = Date.now();
  const incidents = items.map((incident) => incidentRow(incident, null, now));
  const observed = {
    looked: watch.polled,
    judged: last?.kept.judged ?? null,
    failure: watch.failures > 0 ? watch.failure : null,
    statuses: statusWords(watch.statuses ?? defaultStatusDictionary()),
    incidents: incidents.filter(({ resolved }) => resolved === null),
    marked: incidents.toSorted((a, b) => b.opened - a.opened),
  };
  return { observed, last };
}
