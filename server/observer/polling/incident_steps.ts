/** The database steps that record how reasons change incidents, and what the outlets send. */
import {
  incidentId,
  type IncidentReason,
  isMutedAt,
  notableReasons,
} from "../../../lib/judgement/incident.ts";
import {
  type IncidentChange,
  incidentChanges,
  nextChange,
} from "../../../lib/judgement/incidents.ts";
import { type FailurePattern, NO_FAILURES } from "../../../lib/judgement/retries.ts";
import type { Plan } from "../../../lib/judgement/plans/plan.ts";
import type { TransactionStep } from "../../store/engine.ts";
import { insertEvent, insertIncident, updateIncident } from "../../store/observer/incidents.ts";
import type { ObserverRecords } from "../../store/observer/observer_records.ts";
import type { LeasedWatch, StoredIncident, StoredWatch } from "../../store/observer/types.ts";
import { JUDGED_BY } from "../../store/observer/verdicts.ts";
import { watchName } from "../../store/observer/watches.ts";
import { eventOf } from "../event.ts";
import { deliverySteps } from "../outbox.ts";
import type { Outlet } from "../outlets/outlet.ts";
import type { PlanSlots } from "./judge.ts";

/** What recording incidents needs. */
export interface IncidentServices {
  readonly records: ObserverRecords;
  readonly outlets: readonly Pick<Outlet, "name" | "collectMs">[];
  /** The origin at which people reach Docket. */
  readonly origin: string;
}

/** The changes that a verdict's reasons make. */
export interface IncidentSteps {
  readonly steps: readonly TransactionStep[];
  /** When the same reasons change incidents again; null if time alone does not. */
  readonly next: number | null;
}

/** How reasons change the incidents of their schedule. */
export async function incidentSteps(
  watch: LeasedWatch,
  reasons: readonly IncidentReason[],
  services: IncidentServices,
  { at, isJudged, failures, plan, planSlots }: {
    readonly at: number;
    /** Whether the reasons were found just now. */
    readonly isJudged: boolean;
    readonly failures: FailurePattern;
    /** The plan of which they are. */
    readonly plan: Plan | null;
    readonly planSlots: PlanSlots;
  },
): Promise<IncidentSteps> {
  const { scheduleId } = watch;
  const open = await services.records.incidents.open(scheduleId);
  const moment = { at, isMuted: isMutedAt(watch, at), failures };
  const slotsIn = (from: number, to: number) => plan ? planSlots(plan, from, to) : [];
  const changes = await changesFor(scheduleId, open, reasons, services, { ...moment, slotsIn });
  // Who has just muted it or changed its plan is not told by what was before: the next look, which
  // is due at once then, says what holds.
  const isTold = changes.some(({ notify }) => notify === "opened");
  if (isTold && await isChanged(watch, services)) return { steps: [], next: null };
  const news = changes.filter((change) => isJudged || isNews(change, open));
  const moments = [nextChange(changes, reasons, moment) ?? at, ...muteEnds(changes, watch)]
    .filter((each) => each > at);
  return {
    steps: news.flatMap((change) => changeSteps(change, watchName(watch), services, at)),
    next: moments.length > 0 ? Math.min(...moments) : null,
  };
}

/** Whether somebody changed, during a look, what its incidents depend on. */
async function isChanged(
  watch: LeasedWatch,
  { records: { watches } }: IncidentServices,
): Promise<boolean> {
  const textOf = (of: StoredWatch | undefined) =>
    JSON.stringify([...JUDGED_BY, "mutedUntil" as const].map((name) => of?.[name]));
  return textOf(await watches.get(watch.scheduleId)) !== textOf(watch);
}

/** When open incidents are muted no longer. */
function muteEnds(
  changes: readonly IncidentChange<StoredIncident>[],
  { mutedUntil }: LeasedWatch,
): number[] {
  return changes
    .filter(({ incident: { resolved } }) => resolved === null)
    .map(({ incident }) => Math.max(incident.mutedUntil ?? 0, mutedUntil ?? 0));
}

/** The incident that a schedule can't be looked at; its other incidents stay as they are. */
export async function blindSteps(
  watch: LeasedWatch,
  reason: IncidentReason,
  services: IncidentServices,
  at: number,
): Promise<TransactionStep[]> {
  const { scheduleId } = watch;
  const open = await services.records.incidents.open(scheduleId);
  const blind = open.filter(({ code }) => code === reason.code);
  const moment = { at, isMuted: isMutedAt(watch, at), failures: NO_FAILURES };
  const changes = await changesFor(scheduleId, blind, [reason], services, moment);
  return changes.flatMap((change) => changeSteps(change, watchName(watch), services, at));
}

/** The incidents of the service as a whole, shared by all watches. */
export async function serviceSteps(
  reasons: readonly IncidentReason[],
  services: IncidentServices,
  at: number,
): Promise<TransactionStep[]> {
  const open = await services.records.incidents.open(null);
  if (open.length === 0 && reasons.length === 0) return [];
  const changes = await changesFor(null, open, reasons, services, {
    at,
    isMuted: false,
    failures: NO_FAILURES,
  });
  // Without access to the service, nothing is known of its other incidents.
  const isBlind = reasons.some(({ code }) => code === "blind");
  return changes
    .filter((change) => isNews(change, open) && (!isBlind || change.incident.code === "blind"))
    .flatMap((change) => changeSteps(change, "", services, at));
}

/** Whether more than `seen` changed. */
function isNews(
  { event, isNew, incident }: IncidentChange<StoredIncident>,
  open: readonly StoredIncident[],
): boolean {
  const before = open.find(({ id }) => id === incident.id);
  return isNew || event !== null || before?.reasonEnded !== incident.reasonEnded;
}

async function changesFor(
  scheduleId: number | null,
  open: readonly StoredIncident[],
  reasons: readonly IncidentReason[],
  { records: { incidents } }: IncidentServices,
  { slotsIn = () => [], ...moment }: Parameters<typeof incidentChanges>[2] & {
    /** The slots of the plan of which the reasons are. */
    readonly slotsIn?: (from: number, to: number) => readonly number[];
  },
): Promise<readonly IncidentChange<StoredIncident>[]> {
  const isOpen = ({ code }: IncidentReason) => open.some((incident) => incident.code === code);
  const fresh = notableReasons(reasons).filter((reason) => !isOpen(reason));
  const ended = fresh.length === 0 ? [] : await incidents.ended(scheduleId, 50);
  const others = await Promise.all(
    notableReasons(reasons).map((reason) => incidents.get(incidentId(scheduleId, reason))),
  );
  const known = new Map(ended.map((incident) => [incident.id, incident]));
  for (const incident of others) {
    if (incident && incident.resolved !== null) known.set(incident.id, incident);
  }
  const told = [...open, ...known.values()];
  const unmoved = reasons.filter((reason) => isOpen(reason) || !isMovedGap(reason, told, slotsIn));
  return incidentChanges({ scheduleId, open, ended: [...known.values()] }, unmoved, moment);
}

/** Clocks change by no more. */
const CLOCK_CHANGE_MS = 3_600_000;

/**
 * Whether a missed run was reported as overdue at another time. Around a change of clocks, a plan may
 * be inferred in one zone while the run is overdue, and in another once the next one started: then
 * the missed slot is the one nearest to where the overdue one was. A slot that the plan still has is
 * nearest to itself.
 */
function isMovedGap(
  { code, since }: IncidentReason,
  told: readonly StoredIncident[],
  slotsIn: (from: number, to: number) => readonly number[],
): boolean {
  return code === "missed" && since !== null &&
    told.some(({ code, notified, reason, opened }) => {
      const slot = reason.since ?? opened;
      const far = Math.abs(slot - since);
      if (code !== "overdue" || notified === null || far > CLOCK_CHANGE_MS) return false;
      const slots = slotsIn(slot - far, slot + far + 1);
      return slots.includes(since) && slots.every((each) => Math.abs(each - slot) === far);
    });
}

function changeSteps(
  change: IncidentChange<StoredIncident>,
  scheduleName: string,
  { outlets, origin }: IncidentServices,
  at: number,
): TransactionStep[] {
  const { event: kind, notify } = change;
  const incident = change.isNew ? { ...change.incident, version: 1 } : change.incident;
  const line = kind && { incidentId: incident.id, at, kind, person: null, note: null };
  const event = notify &&
    eventOf(incident, { type: `incident.${notify}`, at, scheduleName, origin });
  return [
    change.isNew ? insertIncident(incident) : updateIncident(incident),
    ...(line ? [insertEvent(line)] : []),
    ...(event ? deliverySteps(event, outlets, { incidentId: incident.id, now: at }) : []),
  ];
}
