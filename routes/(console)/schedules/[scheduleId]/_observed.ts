/** Loads what the observer knows of a schedule. */
import type { ObservedSchedule } from "../../../../components/runs/verdict/observation.tsx";
import { describePlan } from "../../../../lib/runs/plans/describe.ts";
import type { Services } from "../../../../server/program/services.ts";
import { incidentSummary, whyNotLooked } from "../../incidents/_incidents.ts";

/** The most incidents on a schedule's page: open ones, and the newest that ended. */
const MOST_INCIDENTS = 100;

/** What the observer last saw of a schedule; null if nobody watches it. */
export async function loadObserved(
  services: Services,
  scheduleId: number,
): Promise<ObservedSchedule | null> {
  const { records } = services;
  if (!records || whyNotLooked(services) !== null) return null;
  const [watch, { items }] = await Promise.all([
    records.watches.get(scheduleId),
    records.incidents.list({ scheduleId, limit: MOST_INCIDENTS }),
  ]);
  if (!watch) return null;
  const names = new Map([[scheduleId, watch.name]]);
  const incidents = items.map((incident) => ({
    id: incident.id,
    severity: incident.severity,
    summary: incidentSummary(incident, names),
    opened: incident.opened,
    isOpen: incident.resolved === null,
  }));
  return {
    looked: watch.looked,
    failure: watch.failures > 0 ? watch.failure : null,
    plan: watch.plan ? describePlan(watch.plan) : null,
    incidents: incidents.filter(({ isOpen }) => isOpen),
    marked: incidents.toSorted((a, b) => b.opened - a.opened),
  };
}
