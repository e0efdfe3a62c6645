import type { DeliveryRow } from "../../../components/runs/incidents/delivery_table.tsx";
import type { IncidentRow } from "../../../components/runs/incidents/incident_table.tsx";
import { actorText } from "../../../lib/judgement/actor.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { outletsOf } from "../../../server/observer/outlets/outlets.ts";
import { incidentTitle, summaryOf } from "../../../server/observer/words.ts";
import { whyNotObserved } from "../../../server/observer/service_observer.ts";
import type { Services } from "../../../server/program/services.ts";
import type { ObserverRecords } from "../../../server/store/records/observer_records.ts";
import type { ListedMessage } from "../../../server/store/records/messages.ts";
import type { StoredIncident } from "../../../server/store/records/incidents.ts";

/** The records, or a problem with status 404 if there are none. */
export function recordsOf(services: Services): ObserverRecords {
  if (services.records) return services.records;
  throw new ProblemError(404, whyNotObserved(services) ?? "No records");
}

/** An incident as a row. `names` is null on the page of its schedule, which needs no name. */
export function incidentRow(
  incident: StoredIncident,
  names: ReadonlyMap<number, string> | null,
  zone: string,
): IncidentRow {
  const { acknowledgedBy, reason: { since } } = incident;
  return {
    ...incident,
    summary: incidentTitle(incident, names, zone),
    since,
    acknowledgedBy: acknowledgedBy && actorText(acknowledgedBy),
  };
}

export function deliveryRow(
  delivery: ListedMessage,
  label: (outlet: string) => string,
): DeliveryRow {
  return {
    ...delivery,
    outlet: label(delivery.outlet),
    summary: summaryOf(JSON.parse(delivery.event)),
    next: delivery.due,
    givenUp: delivery.givenUp !== null,
  };
}

export function outletsFor({ settings }: Services) {
  return outletsOf(settings.observer);
}
