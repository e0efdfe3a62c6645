/** What statuses mean and the service's zone: as the user says, or else as a Docket says. */
import {
  type ClientOptions,
  defaultStatusDictionary,
  isDocketError,
  type StatusDictionary,
} from "../lib/mod.ts";
import {
  parseStatuses,
  readStatuses,
  type UnknownStatus,
  unknownStatusText,
} from "../lib/runs/status.ts";
import { type Option, UsageError } from "./command.ts";
import type { Io } from "./io.ts";
import { recordsAt } from "./records.ts";

export const STATUSES: Option<StatusDictionary> = {
  value: "LIST",
  use: "what the service's statuses mean, such as archived=good,error=bad: good, bad, pending or " +
    "unknown (default: as Docket says, or plain English)",
  read: (text) => ({ ...defaultStatusDictionary(), ...parseStatuses(text) }),
};

/**
 * The option's meanings, or those of DOCKET_STATUSES, or those of a Docket, or else plain English; and
 * the zone of times without one, if a Docket says it.
 */
export async function loadMeanings(
  option: StatusDictionary | undefined,
  options: ClientOptions,
  io: Io,
): Promise<{ readonly statuses: StatusDictionary; readonly serviceZone?: string }> {
  const said = option ?? readVariable(io.env("DOCKET_STATUSES"));
  const { call } = recordsAt({ ...options, attempts: 1 });
  const request = call<Readonly<Record<string, unknown>> | null>("GET", "statuses");
  const answer = await request.catch(async (error) => {
    if (!isDocketError(error)) throw error;
    // Another service has no such address: it says so in any way.
    const isOther = error.kind === "shape" ||
      error.kind === "http" && error.status < 500 && error.status !== 429;
    if (isOther || said) return null;
    await io.err.write("What statuses mean and the zone of times without one could not be asked\n");
    return null;
  });
  const list = answer?.statuses;
  if (!Array.isArray(list)) return { statuses: said ?? defaultStatusDictionary() };
  const { statuses } = readStatuses(list.map((each) => [each?.status, each?.meaning] as const));
  const zone = answer!.serviceZone;
  return { statuses: said ?? statuses, ...(typeof zone === "string" && { serviceZone: zone }) };
}

function readVariable(text: string | undefined): StatusDictionary | undefined {
  if (!text) return undefined;
  try {
    return STATUSES.read(text);
  } catch (error) {
    throw new UsageError(`DOCKET_STATUSES ${(error as TypeError).message}`);
  }
}

/** Says what is left out because nobody knows how it ended; true if there is anything. */
export async function printUnknown(unknown: readonly UnknownStatus[], io: Io): Promise<boolean> {
  if (unknown.length === 0) return false;
  await io.err.write(
    `Left out: ${unknownStatusText(unknown)}. --statuses or the page Service says what it means\n`,
  );
  return true;
}
