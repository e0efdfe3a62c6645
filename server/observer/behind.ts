/** Notices when this many watches are too many for this service: polls are late, and stay so. */
import { formatDuration } from "../../lib/format.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import { setText } from "../store/records/values.ts";
import type { IncidentServices } from "./message_steps.ts";
import { reasonSteps } from "./polling/incident_steps.ts";
import { PAUSE } from "./polling/service_access.ts";

/** Polls are reported if they are later than this for as long as this. */
export const BEHIND_MS = 5 * 60_000;
/** After a longer time without a check, no observer was running. */
const UNCHECKED_MS = 3 * 60_000;
export const BEHIND = "behind" as const;

/** Since when a condition has held at every check, including this one; null if it does not hold now. */
export async function heldSince(
  { values, commit }: Pick<ObserverRecords, "values" | "commit">,
  name: string,
  holds: boolean,
  { at, maxGapMs }: { readonly at: number; readonly maxGapMs: number },
): Promise<number | null> {
  const [checked, before] = JSON.parse(await values.text(name) ?? "[0, null]");
  const isContinuous = Math.abs(at - checked) <= maxGapMs;
  const since = holds ? isContinuous ? before ?? at : at : null;
  await commit([setText(name, JSON.stringify([at, since]))]);
  return since;
}

export async function checkBehind(
  services: IncidentServices & {
    readonly now: () => number;
    readonly onEvent: (level: "info" | "warn", message: string, reason?: string) => void;
  },
): Promise<void> {
  const { records, now, onEvent } = services;
  const { values, polls, incidents } = records;
  const at = now();
  const lateMs = at - (await polls.nextDue() ?? at);
  // During a pause that the service asked for, nothing is polled. That is another incident.
  const isLate = lateMs > BEHIND_MS && (await values.number(PAUSE) ?? 0) <= at;
  const since = await heldSince(records, "polls late", isLate, { at, maxGapMs: UNCHECKED_MS });
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
