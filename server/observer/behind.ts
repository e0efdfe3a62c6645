/** Notices when this many watches are too many for this service: polls are late, and stay so. */
import type { IncidentReason } from "../../lib/judgement/incident.ts";
import { formatDuration } from "../../lib/format.ts";
import { setText } from "../store/observer/values.ts";
import type { IncidentServices } from "./message_steps.ts";
import { serviceSteps } from "./polling/incident_steps.ts";
import { PAUSE } from "./polling/service_access.ts";

export interface BehindServices extends IncidentServices {
  readonly now: () => number;
  readonly onEvent: (level: "info" | "warn", message: string, reason?: string) => void;
}

/** Polls that are later than this, for as long, are reported. */
export const BEHIND_MS = 5 * 60_000;
/** After a longer time without a check, nothing is known: no observer was running. */
const UNCHECKED_MS = 3 * 60_000;
/** The code of the incident, and the name of the value that stores since when polls are late. */
export const BEHIND = "behind";

interface Lateness {
  readonly since: number | null;
  readonly checked: number;
}

export async function checkBehind(services: BehindServices): Promise<void> {
  const { records, now, onEvent } = services;
  const { values, polls, incidents } = records;
  const at = now();
  const before: Lateness | null = JSON.parse(await values.text(BEHIND) ?? "null");
  const lateMs = at - (await polls.nextDue() ?? at);
  // During a pause that the service asked for, nothing is polled: that is an incident of its own.
  const isLate = lateMs > BEHIND_MS && (await values.number(PAUSE) ?? 0) <= at;
  const isKnown = before !== null && Math.abs(at - before.checked) <= UNCHECKED_MS;
  const since = isLate ? isKnown ? before.since ?? at : at : null;
  const isBehind = since !== null && at - since >= BEHIND_MS;
  const lateness: Lateness = { since, checked: at };
  const reason: IncidentReason = {
    code: BEHIND,
    severity: "critical",
    since,
    runs: [],
    evidence: { lateMs },
  };
  const wasBehind = (await incidents.open(null)).some(({ code }) => code === BEHIND);
  const steps = isLate && !isBehind && wasBehind
    ? []
    : await serviceSteps(isBehind ? [reason] : [], [BEHIND], services, at);
  const isDone = await records.commit([setText(BEHIND, JSON.stringify(lateness)), ...steps]);
  if (!isDone || isBehind === wasBehind || isLate && !isBehind) return;
  if (isBehind) onEvent("warn", "Polls are late", `The oldest by ${formatDuration(lateMs)}`);
  else onEvent("info", "Polls are in time again");
}
