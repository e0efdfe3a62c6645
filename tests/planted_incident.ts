/** Incidents for tests of what shows them: put into the records, without an observer. */
import { transition } from "../lib/judgement/incidents/transition.ts";
import { incidentEvent } from "../server/store/records/events.ts";
import { insertIncident, type StoredIncident } from "../server/store/records/incidents.ts";
import type { App } from "./app.ts";
import { sampleReason } from "./sample_reasons.ts";

/** When planted incidents opened, unless said otherwise. */
export const OPENED = Date.UTC(2026, 2, 10, 6);

/** The id of a planted incident of schedule 101. */
export const INCIDENT_ID = `101-overdue-${OPENED}`;
/** Its page. */
export const INCIDENT_PATH = `/incidents/${INCIDENT_ID}`;

/** Has a schedule watched, by default 101, and puts an incident: by default about its overdue run. */
export async function plantIncident(
  { services }: Pick<App, "services">,
  { name, run = 101899999, reason, ...more }: Partial<Omit<StoredIncident, "id">> & {
    /** The schedule's name. */
    readonly name: string;
    /** The run that shows it. */
    readonly run?: number;
  },
): Promise<void> {
  const { scheduleId = 101, opened = OPENED, severity = "critical" } = more;
  const records = services.records!;
  if (scheduleId !== null) await records.watches.add([scheduleId], opened, { name });
  const times = { since: opened, due: opened, latest: opened };
  const overdue = sampleReason("overdue", { severity, runs: [run], count: 2, ...times });
  const context = { now: opened, scheduleId };
  const [change] = transition<StoredIncident>([], [], [reason ?? overdue], context);
  const incident = { ...change.incident, version: 1, ...more };
  const event = { incidentId: incident.id, at: opened, actor: null, note: null };
  await records.commit([insertIncident(incident), incidentEvent({ kind: "opened", ...event })]);
}
