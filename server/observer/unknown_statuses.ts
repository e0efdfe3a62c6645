/** One incident of the service while schedules end with a status that nobody knows. */
import type { ReasonOf } from "../../lib/judgement/reason.ts";
import { meaningOf, statusWord } from "../../lib/runs/status.ts";
import type { StoredVerdict, UnknownVerdict } from "../store/records/verdicts.ts";
import type { IncidentServices } from "./message_steps.ts";
import { reasonSteps } from "./polling/incident_steps.ts";
import { record } from "./polling/record_failure.ts";

const UNKNOWN_STATUS = "unknown-status";

export function saysUnknown(verdict: Pick<StoredVerdict, "details"> | undefined): boolean {
  return verdict?.details.reasons.some(({ code }) => code === UNKNOWN_STATUS) ?? false;
}

/** Opens the incident, or resolves it: when its statuses got a meaning, or a run without one is past. */
export async function checkStatuses(services: IncidentServices, at: number): Promise<void> {
  const { records: { verdicts, incidents, statuses } } = services;
  const dictionary = await statuses.dictionary();
  const isUnknown = (word: string) => !["good", "bad"].includes(meaningOf(word, dictionary));
  const unknown = (await verdicts.unknown()).filter(({ reason }) => isUnknown(wordOf(reason)));
  const open = (await incidents.open(null)).find(({ code }) => code === UNKNOWN_STATUS);
  const shown = open?.reason.code === UNKNOWN_STATUS ? open.reason.statuses : [];
  // It names these statuses, until all have a meaning: runs with others may come between.
  const said = shown.filter((status) =>
    isUnknown(statusWord(status)) && (status !== "" || unknown.length > 0)
  );
  const reasons = unknown.length > 0
    ? [reasonFor(unknown, said)]
    : said.length > 0
    ? [open!.reason]
    : [];
  await record(services, () => reasonSteps(null, reasons, [UNKNOWN_STATUS], services, at));
}

function wordOf({ status }: ReasonOf<"unknown-status">): string {
  return statusWord(status);
}

function reasonFor(
  unknown: readonly UnknownVerdict[],
  said: readonly string[],
): ReasonOf<"unknown-status"> {
  const [{ scheduleId, name, reason }] = unknown;
  return {
    ...reason,
    since: Math.min(...unknown.map(({ reason: { since } }) => since ?? Infinity)),
    runs: reason.runs.slice(0, 1),
    statuses: [
      ...new Map([
        ...said.map((status) => [statusWord(status), status] as const),
        ...unknown.map(({ reason }) => [wordOf(reason), reason.status] as const),
      ]).values(),
    ],
    of: { scheduleId, name, schedules: unknown.length },
  };
}
