/** The steps that record how reasons change incidents, and that queue the messages about it. */
import {
  incidentId,
  isMutedAt,
  notableReasons,
  ofSchedule,
} from "../../../lib/judgement/incident.ts";
import {
  type IncidentChange,
  incidentChanges,
  nextChange,
} from "../../../lib/judgement/incidents.ts";
import type { Reason } from "../../../lib/judgement/reason.ts";
import { showsMore } from "../../../lib/judgement/known_reasons.ts";
import { type Plan, planSlots } from "../../../lib/judgement/plans/plan.ts";
import { type FailurePattern, NO_FAILURES } from "../../../lib/judgement/retries.ts";
import type { TransactionStep } from "../../store/engine.ts";
import { insertEvent, insertIncident, updateIncident } from "../../store/observer/incidents.ts";
import type { MessageFacts } from "../../store/observer/overview.ts";
import type {
  LeasedWatch,
  StoredIncident,
  StoredVerdict,
  StoredWatch,
  VerdictDetails,
} from "../../store/observer/types.ts";
import { VERDICT_SETTINGS } from "../../store/observer/verdicts.ts";
import { watchName } from "../../store/observer/watches.ts";
import { type IncidentServices, messageSteps } from "../message_steps.ts";

export async function incidentSteps(
  watch: LeasedWatch,
  verdict: Pick<StoredVerdict, "people" | "lastSuccess"> & {
    readonly details: Pick<VerdictDetails, "reasons" | "plan">;
  },
  services: IncidentServices,
  { at, isJudged, failures }: {
    readonly at: number;
    readonly isJudged: boolean;
    readonly failures: FailurePattern;
  },
): Promise<{
  readonly steps: readonly TransactionStep[];
  /** When the same reasons change incidents again because time passes; null for never. */
  readonly next: number | null;
}> {
  const { scheduleId } = watch;
  const { details: { reasons, plan }, people, lastSuccess } = verdict;
  const open = await services.records.incidents.open(scheduleId);
  const moment = { at, isMuted: isMutedAt(watch, at), failures };
  const changes = await changesFor(scheduleId, open, ofSchedule(reasons), services, {
    ...moment,
    plan,
  });
  // If somebody has just muted it or changed its plan, sends nothing that uses the previous settings.
  // The change made the next poll due at once.
  const isSent = changes.some(({ notify }) => notify === "opened");
  if (isSent && await isChanged(watch, services)) return { steps: [], next: null };
  const recorded = changes.filter((change) => isJudged || isMoreThanSeen(change, open));
  const facts = { name: watchName(watch), note: watch.note, people, lastSuccess };
  const moments = [nextChange(changes, reasons, moment) ?? at, ...muteEnds(changes, watch)]
    .filter((each) => each > at);
  return {
    steps: await stepsOf(recorded, facts, services, at),
    next: moments.length > 0 ? Math.min(...moments) : null,
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

function muteEnds(
  changes: readonly IncidentChange<StoredIncident>[],
  { mutedUntil }: LeasedWatch,
): number[] {
  return changes
    .filter(({ incident: { resolved } }) => resolved === null)
    .map(({ incident }) => Math.max(incident.mutedUntil ?? 0, mutedUntil ?? 0));
}

/** Records how reasons change the incidents with these codes, of a watch or for null of the service. */
export async function reasonSteps(
  watch: LeasedWatch | null,
  reasons: readonly Reason[],
  codes: readonly string[],
  services: IncidentServices,
  at: number,
): Promise<TransactionStep[]> {
  const scheduleId = watch && watch.scheduleId;
  const open = (await services.records.incidents.open(scheduleId))
    .filter(({ code }) => codes.includes(code));
  if (open.length === 0 && reasons.length === 0) return [];
  const isMuted = watch !== null && isMutedAt(watch, at);
  const moment = { at, isMuted, failures: NO_FAILURES, plan: null };
  // Each schedule's poll notices an incident of the service at another time.
  const same = reasons.map((reason) => {
    const incident = open.find(({ code }) => code === reason.code);
    return incident && !showsMore(incident, reason)
      ? { ...reason, since: incident.reason.since }
      : reason;
  });
  const changes = await changesFor(scheduleId, open, same, services, moment);
  const recorded = watch ? changes : changes.filter((change) => isMoreThanSeen(change, open));
  return await stepsOf(recorded, null, services, at);
}

function isMoreThanSeen(
  { event, isNew, incident }: IncidentChange<StoredIncident>,
  open: readonly StoredIncident[],
): boolean {
  const before = open.find(({ id }) => id === incident.id);
  return isNew || event !== null || before?.reasonEnded !== incident.reasonEnded;
}

async function changesFor(
  scheduleId: number | null,
  open: readonly StoredIncident[],
  reasons: readonly Reason[],
  { records: { incidents } }: IncidentServices,
  { plan, ...moment }: Parameters<typeof incidentChanges>[2] & { readonly plan: Plan | null },
): Promise<readonly IncidentChange<StoredIncident>[]> {
  const isOpen = ({ code }: Reason) => open.some((incident) => incident.code === code);
  const isKnown = ({ code, since }: Reason) =>
    open.some((incident) => incident.code === code && incident.reason.since === since);
  const fresh = notableReasons(reasons).filter((reason) => !isKnown(reason));
  const ended = fresh.length === 0 ? [] : await incidents.ended(scheduleId, 50);
  const others = await Promise.all(
    notableReasons(reasons).map((reason) => incidents.get(incidentId(scheduleId, reason))),
  );
  const known = new Map(ended.map((incident) => [incident.id, incident]));
  for (const incident of others) {
    if (incident && incident.resolved !== null) known.set(incident.id, incident);
  }
  const earlier = [...open, ...known.values()];
  const unmoved = reasons.filter((reason) => isOpen(reason) || !isMovedGap(reason, earlier, plan));
  return incidentChanges({ scheduleId, open, ended: [...known.values()] }, unmoved, moment);
}

/** Clocks change by this time, or by half of it. */
const CLOCK_CHANGE_MS = 3_600_000;

/**
 * Whether a missed run was already reported as overdue at another time. Around a clock change, the
 * inferred zone may change; the missed slot is then the one nearest to the overdue slot.
 */
function isMovedGap(
  { code, since }: Reason,
  earlier: readonly StoredIncident[],
  plan: Plan | null,
): boolean {
  return code === "missed" && since !== null && plan !== null &&
    earlier.some(({ code, notified, reason, opened }) => {
      const slot = reason.since ?? opened;
      const distance = Math.abs(slot - since);
      if (code !== "overdue" || notified === null) return false;
      if (distance > CLOCK_CHANGE_MS || distance % (CLOCK_CHANGE_MS / 2) !== 0) return false;
      const slots = planSlots(plan, slot - distance, slot + distance + 1);
      return slots.includes(since) && slots.every((each) => Math.abs(each - slot) === distance);
    });
}

async function stepsOf(
  changes: readonly IncidentChange<StoredIncident>[],
  facts: MessageFacts | null,
  services: IncidentServices,
  at: number,
): Promise<TransactionStep[]> {
  const changed = changes.map((change) => ({
    ...change,
    incident: change.isNew ? { ...change.incident, version: 1 } : change.incident,
  }));
  const messages = changed.flatMap(({ incident, notify }) =>
    notify === null ? [] : [{ incident, type: `incident.${notify}` as const }]
  );
  return [
    ...changed.flatMap(({ isNew, incident, event: kind }) => [
      isNew ? insertIncident(incident) : updateIncident(incident),
      ...(kind
        ? [insertEvent({ incidentId: incident.id, at, kind, actor: null, note: null })]
        : []),
    ]),
    ...await messageSteps(services, messages, { at, ...(facts && { facts }) }),
  ];
}
