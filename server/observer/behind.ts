/** Notices when this many watches are too many for this service: polls are late, and stay so. */
import { formatDuration } from "../../lib/format.ts";
import type { IncidentServices } from "./message_steps.ts";
import { reasonSteps } from "./polling/incident_steps.ts";

/** Polls are reported if they are later than this for as long as this. */
export const BEHIND_MS = 5 * 60_000;
/** After a longer time without a check, no observer was running. */
const UNCHECKED_MS = 3 * 60_000;
export const BEHIND = "behind" as const;

export async function checkBehind(
  services: IncidentServices & {
    readonly now: () => number;
    readonly onEvent: (level: "info" | "warn", message: string, reason?: string) => void;
  },
): Promise<void> {
  const { records, now, onEvent } = services;
  const { service, duties, polls, incidents } = records;
  const at = now();
  const lateMs = at - (await polls.nextDue() ?? at);
  // During a pause that the service asked for, nothing is polled. That is another incident.
  const isLate = lateMs > BEHIND_MS && ((await service.get()).pausedUntil ?? 0) <= at;
  const since = await duties.heldSince("polls late", isLate, { at, maxGapMs: UNCHECKED_MS });
  const isBehind = since !== null && at - since >= BEHIND_MS;
  const wasBehind = (await incidents.open(null)).some(({ code }) => code === BEHIND);
  // It only ends when polls are in time again.
  if (isLate && !isBehind) return;
  const reason = {
    code: BEHIND,
    severity: "critical",
    subject: "",
    since,
    runs: [],
    lateMs,
  } as const;
  const steps = await reasonSteps(null, isBehind ? [reason] : [], [BEHIND], services, at);
  if (!await records.commit(steps) || isBehind === wasBehind) return;
  if (isBehind) onEvent("warn", "Polls are late", `The oldest by ${formatDuration(lateMs)}`);
  else onEvent("info", "Polls are in time again");
}
