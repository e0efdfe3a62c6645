/** The steps that record how reasons change incidents, and that queue the messages about it. */
import {
  type Change,
  type Moment,
  nextChange,
  transition,
} from "../../../lib/judgement/incidents/transition.ts";
import type { Reason, ReasonCode } from "../../../lib/judgement/reason.ts";
import type { TransactionStep } from "../../store/records/transaction_step.ts";
import { incidentEvent } from "../../store/records/events.ts";
import {
  insertIncident,
  type StoredIncident,
  updateIncident,
} from "../../store/records/incidents.ts";
import type { MessageFacts } from "../../store/records/overview.ts";
import type { LeasedWatch } from "../../store/records/polls.ts";
import type { StoredVerdict, VerdictDetails } from "../../store/records/verdicts.ts";
import { type StoredWatch, VERDICT_SETTINGS, watchName } from "../../store/records/watches.ts";
import { type IncidentServices, messageSteps } from "../message_steps.ts";

export async function incidentSteps(
  watch: LeasedWatch,
  verdict: Pick<StoredVerdict, "people" | "lastSuccess"> & {
    readonly details: Pick<VerdictDetails, "reasons">;
  },
  services: IncidentServices,
  judged: Pick<Moment, "now" | "isFirst" | "repairedBy" | "oldest" | "endingOf">,
): Promise<{
  readonly steps: readonly TransactionStep[];
  /** When incidents change next though no reason does; null for never. */
  readonly next: number | null;
}> {
  const { scheduleId, mutedUntil } = watch;
  const { details: { reasons }, people, lastSuccess } = verdict;
  const { open, recent } = await services.records.incidents.known(scheduleId, judged.now);
  const moment = { ...judged, scheduleId, mutedUntil };
  const changes = transition(open, recent, reasons, moment);
  // If somebody has just muted it or changed its plan, sends nothing that uses the previous settings.
  // The change made the next poll due at once.
  const isSent = changes.some(({ send }) => send !== null && send !== "resolved");
  if (isSent && await isChanged(watch, services)) return { steps: [], next: null };
  const facts = { name: watchName(watch), note: watch.note, people, lastSuccess };
  const changed = new Map(changes.map(({ incident }) => [incident.id, incident]));
  const unchanged = [...open, ...recent].filter(({ id }) => !changed.has(id));
  return {
    steps: await changeSteps(changes, facts, services, judged.now),
    next: nextChange([...changed.values(), ...unchanged], moment),
  };
}

async function isChanged(
  watch: LeasedWatch,
  { records: { watches } }: IncidentServices,
): Promise<boolean> {
  const textOf = (of: StoredWatch | undefined) =>
    JSON.stringify([...VERDICT_SETTINGS, "mutedUntil" as const].map((name) => of?.[name]));
  return textOf(await watches.get(watch.scheduleId)) !== textOf(watch);
}

/**
 * Records how reasons change the incidents with these codes, of a watch or for null of the service.
 * Without codes, only sends what is due.
 */
export async function reasonSteps(
  watch: LeasedWatch | null,
  reasons: readonly Reason[],
  only: readonly ReasonCode[],
  services: IncidentServices,
  now: number,
): Promise<TransactionStep[]> {
  const { scheduleId = null, mutedUntil = null } = watch ?? {};
  const { open, recent } = await services.records.incidents.known(scheduleId, now);
  const changes = transition(open, recent, reasons, { now, scheduleId, mutedUntil, only });
  return await changeSteps(changes, null, services, now);
}

export async function changeSteps(
  changes: readonly Change<StoredIncident>[],
  facts: MessageFacts | null,
  services: IncidentServices,
  at: number,
): Promise<TransactionStep[]> {
  const changed = changes.map(({ before, incident, event, send }) => ({
    event: event ?? (send === null ? null : "notified" as const),
    send,
    isNew: before === null,
    incident: { ...incident, version: before?.version ?? 1 },
  }));
  const messages = changed.flatMap(({ incident, send }) =>
    send === null ? [] : [{ incident, type: `incident.${send}` as const }]
  );
  return [
    ...changed.flatMap(({ isNew, incident, event: kind }) => [
      isNew ? insertIncident(incident) : updateIncident(incident),
      ...(kind
        ? [incidentEvent({ incidentId: incident.id, at, kind, actor: null, note: null })]
        : []),
    ]),
    ...await messageSteps(services, messages, { at, ...(facts && { facts }) }),
  ];
}
