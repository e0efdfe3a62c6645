/** What statuses mean: as the user says, or else as the Docket that is asked says. */
import { type ClientOptions, defaultStatusDictionary, type StatusDictionary } from "../lib/mod.ts";
import { DEFAULT_TOKEN_HEADER, normalizeBaseUrl } from "../lib/client/transport/request.ts";
import {
  parseStatuses,
  readStatuses,
  type UnknownStatus,
  unknownStatusText,
} from "../lib/runs/status.ts";
import { UsageError } from "./command.ts";
import type { Io } from "./io.ts";
import type { Values } from "./options.ts";

const DEFAULT_TIMEOUT_MS = 30_000;

/** Reads `--statuses`; null without it. */
export function readStatusOption({ statuses }: Values): StatusDictionary | null {
  return statuses === undefined ? null : parsed("--statuses", statuses);
}

function parsed(name: string, text: string): StatusDictionary {
  try {
    return { ...defaultStatusDictionary(), ...parseStatuses(text) };
  } catch (error) {
    throw new UsageError(`${name} ${(error as TypeError).message}`);
  }
}

/** The option's meanings, or those of DOCKET_STATUSES, or those of a Docket, or else plain English. */
export async function loadStatuses(
  option: StatusDictionary | null,
  options: ClientOptions,
  io: Io,
): Promise<StatusDictionary> {
  const text = io.env("DOCKET_STATUSES");
  return option ?? (text ? parsed("DOCKET_STATUSES", text) : await askDocket(options, io));
}

async function askDocket(
  { baseUrl, token, tokenHeader = DEFAULT_TOKEN_HEADER, timeoutMs, fetch = globalThis.fetch }:
    ClientOptions,
  io: Io,
): Promise<StatusDictionary> {
  const known = defaultStatusDictionary();
  try {
    const response = await fetch(`${normalizeBaseUrl(baseUrl)}/api/docket/v1/statuses`, {
      headers: { [tokenHeader]: token as string, accept: "application/json" },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs ?? DEFAULT_TIMEOUT_MS),
    });
    if (response.status >= 500 || response.status === 429) {
      await response.body?.cancel();
      throw new Error(`status ${response.status}`);
    }
    // Another service has no such address: it says so in any way.
    const answer: unknown = await response.json().catch(() => null);
    const list = response.ok && (answer as { statuses?: unknown } | null)?.statuses;
    if (!Array.isArray(list)) return known;
    const pairs = list.map((each) => [each?.status, each?.meaning] as const);
    return readStatuses(pairs).statuses;
  } catch {
    await io.err.write(
      "What statuses mean could not be asked, so only plain English ones are known\n",
    );
    return known;
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
