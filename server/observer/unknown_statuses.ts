/** One incident of the service while schedules end with a status that nobody knows. */
import type { IncidentReason } from "../../lib/judgement/incident.ts";
import { meaningOf, type StatusDictionary } from "../../lib/runs/status.ts";
import type { StoredVerdict } from "../store/observer/types.ts";
import type { UnknownVerdict } from "../store/observer/verdicts.ts";
import type { IncidentServices } from "./message_steps.ts";
import { reasonSteps } from "./polling/incident_steps.ts";
import { record } from "./polling/record_failure.ts";

const UNKNOWN_STATUS = "unknown-status";

export function saysUnknown(verdict: Pick<StoredVerdict, "details"> | undefined): boolean {
  return verdict?.details.reasons.some(({ code }) => code === UNKNOWN_STATUS) ?? false;
}

/** Opens the incident, or resolves it: when its status got a meaning, or a run without one is past. */
export async function checkStatuses(services: IncidentServices, at: number): Promise<void> {
  const { records: { verdicts, incidents, statuses } } = services;
  const dictionary = await statuses.dictionary();
  const unknown = (await verdicts.unknown()).filter(({ reason }) => isUnknown(reason, dictionary));
  const open = (await incidents.open(null)).find(({ code }) => code === UNKNOWN_STATUS);
  const isOpen = open !== undefined && isUnknown(open.reason, dictionary);
  const update = (reasons: readonly IncidentReason[]) =>
    record(services, () => reasonSteps(null, reasons, [UNKNOWN_STATUS], services, at));
  // It names one status, until that has a meaning: runs with others may come between.
  if (isOpen && (unknown.length > 0 || open.reason.evidence.status)) return;
  if (open) await update([]);
  if (unknown.length > 0) await update([reasonFor(unknown)]);
}

function isUnknown(
  { evidence: { status } }: IncidentReason,
  dictionary: StatusDictionary,
): boolean {
  return !["good", "bad"].includes(meaningOf(String(status), dictionary));
}

function reasonFor(unknown: readonly UnknownVerdict[]): IncidentReason {
  const [{ scheduleId, name, reason }] = unknown;
  const { severity, runs, evidence: { status } } = reason;
  const starts = unknown.map(({ reason: { since } }) => since ?? Infinity);
  return {
    code: UNKNOWN_STATUS,
    severity,
    since: Math.min(...starts),
    runs: runs.slice(0, 1),
    evidence: { status, scheduleId, name, schedules: unknown.length },
  };
}
