/** The database steps that record how reasons change incidents, and what the outlets send. */
import {
  type IncidentChange,
  incidentChanges,
  incidentId,
  nextChange,
  notableReasons,
} from "../../../lib/runs/judge/incidents.ts";
import { type FailurePattern, NO_FAILURES } from "../../../lib/runs/judge/retries.ts";
import type { Step } from "../../store/engine.ts";
import { insertEvent, insertIncident, updateIncident } from "../../store/observer/incidents.ts";
import type { Records } from "../../store/observer/records.ts";
import type { Incident, KeptReason, LeasedWatch } from "../../store/observer/types.ts";
import { eventOf } from "../event.ts";
import { deliverySteps } from "../outbox.ts";
import type { Outlet } from "../outlets/outlet.ts";

/** What recording incidents needs. */
export interface IncidentServices {
  readonly records: Records;
  readonly outlets: readonly Pick<Outlet, "name" | "collectMs">[];
  /** The origin at which people reach Docket. */
  readonly origin: string;
}

/** The changes that a verdict's reasons make. */
export interface IncidentSteps {
  readonly steps: readonly Step[];
  /** When the same reasons change incidents again; null if time alone does not. */
  readonly next: number | null;
}

/** How reasons change the incidents of their schedule. */
export async function incidentSteps(
  watch: LeasedWatch,
  reasons: readonly KeptReason[],
  services: IncidentServices,
  { at, isJudged, failures }: {
    readonly at: number;
    /** Whether the reasons were found just now. */
    readonly isJudged: boolean;
    readonly failures: FailurePattern;
  },
): Promise<IncidentSteps> {
  const { scheduleId, name } = watch;
  const open = await services.records.incidents.open(scheduleId);
  const moment = { at, isMuted: isMuted(watch, at), failures };
  const changes = await changesFor(scheduleId, open, reasons, services, moment);
  const news = changes.filter((change) => isJudged || isNews(change, open));
  return {
    steps: news.flatMap((change) => changeSteps(change, name, services, at)),
    next: nextChange(changes, reasons, moment),
  };
}

/** The incident that a schedule can't be looked at; its other incidents stay as they are. */
export async function blindSteps(
  watch: LeasedWatch,
  reason: KeptReason,
  services: IncidentServices,
  at: number,
): Promise<Step[]> {
  const { scheduleId, name } = watch;
  const open = await services.records.incidents.open(scheduleId);
  const blind = open.filter(({ code }) => code === reason.code);
  const moment = { at, isMuted: isMuted(watch, at), failures: NO_FAILURES };
  const changes = await changesFor(scheduleId, blind, [reason], services, moment);
  return changes.flatMap((change) => changeSteps(change, name, services, at));
}

/** The incidents of the service as a whole, shared by all watches. */
export async function serviceSteps(
  reasons: readonly KeptReason[],
  services: IncidentServices,
  at: number,
): Promise<Step[]> {
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
  { event, isNew, incident }: IncidentChange<Incident>,
  open: readonly Incident[],
): boolean {
  const before = open.find(({ id }) => id === incident.id);
  return isNew || event !== null || before?.reasonEnded !== incident.reasonEnded;
}

function isMuted({ mutedUntil }: LeasedWatch, at: number): boolean {
  return mutedUntil !== null && mutedUntil > at;
}

async function changesFor(
  scheduleId: number | null,
  open: readonly Incident[],
  reasons: readonly KeptReason[],
  { records: { incidents } }: IncidentServices,
  moment: Parameters<typeof incidentChanges>[2],
): Promise<readonly IncidentChange<Incident>[]> {
  const isOpen = ({ code }: KeptReason) => open.some((incident) => incident.code === code);
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
  const unmoved = reasons.filter((reason) => isOpen(reason) || !isMovedGap(reason, told));
  return incidentChanges({ scheduleId, open, ended: [...known.values()] }, unmoved, moment);
}

/** Clocks change by no more. */
const CLOCK_CHANGE_MS = 3_600_000;

/**
 * Whether a missed run was reported as overdue an hour earlier or later. Around a change of clocks, a
 * plan may be inferred in one zone while the run is overdue, and in another once the next one started.
 */
function isMovedGap({ code, since }: KeptReason, told: readonly Incident[]): boolean {
  return code === "missed" && since !== null &&
    told.some((incident) =>
      incident.code === "overdue" && incident.notified !== null &&
      Math.abs((incident.reason.since ?? incident.opened) - since) <= CLOCK_CHANGE_MS
    );
}

function changeSteps(
  change: IncidentChange<Incident>,
  scheduleName: string,
  { outlets, origin }: IncidentServices,
  at: number,
): Step[] {
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
