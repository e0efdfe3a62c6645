/** What statuses mean: as the user says, or else as the Docket that is asked says. */
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

/** The option's meanings, or those of DOCKET_STATUSES, or those of a Docket, or else plain English. */
export async function loadStatuses(
  option: StatusDictionary | undefined,
  options: ClientOptions,
  io: Io,
): Promise<StatusDictionary> {
  const text = io.env("DOCKET_STATUSES");
  if (option || !text) return option ?? await askDocket(options, io);
  try {
    return STATUSES.read(text);
  } catch (error) {
    throw new UsageError(`DOCKET_STATUSES ${(error as TypeError).message}`);
  }
}

async function askDocket(options: ClientOptions, io: Io): Promise<StatusDictionary> {
  const { call } = recordsAt({ ...options, attempts: 1 });
  const request = call<{ readonly statuses?: unknown } | null>("GET", "statuses");
  const answer = await request.catch(async (error) => {
    if (!isDocketError(error)) throw error;
    // Another service has no such address: it says so in any way.
    const isOther = error.kind === "shape" ||
      error.kind === "http" && error.status < 500 && error.status !== 429;
    if (isOther) return null;
    await io.err.write(
      "What statuses mean could not be asked, so only plain English ones are known\n",
    );
    return null;
  });
  const list = answer?.statuses;
  if (!Array.isArray(list)) return defaultStatusDictionary();
  return readStatuses(list.map((each) => [each?.status, each?.meaning] as const)).statuses;
}

/** Says what is left out because nobody knows how it ended; true if there is anything. */
export async function printUnknown(unknown: readonly UnknownStatus[], io: Io): Promise<boolean> {
  if (unknown.length === 0) return false;
  await io.err.write(
    `Left out: ${unknownStatusText(unknown)}. --statuses or the page Service says what it means\n`,
  );
  return true;
}
