/** The observer's access to the service: without retries, and with one pause for all watches. */
import type { Backend } from "../../../lib/client/backend.ts";
import { createClient } from "../../../lib/client/client.ts";
import { isDocketError } from "../../../lib/errors.ts";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { findKnownCause } from "../../../lib/client/transport/root_cause.ts";
import { parseRetryAfter } from "../../../lib/client/transport/retry.ts";
import { errorStatus } from "../../backend/service.ts";
import { boundedFetch, TIMEOUTS } from "../../backend/upstream.ts";
import { NO_SCHEDULE } from "../../store/records/watches.ts";
import { formatCountOf } from "../../../lib/format.ts";

const PREFIX = "The answer is stale: ";
/** Answers that lack runs for this long are believed, because somebody may have removed the runs. */
export const BELIEVED_AFTER_MS = 30 * MINUTE;

export class StaleAnswerError extends Error {
  override readonly name = StaleAnswerError.name;
  /** `runs` are the ids of the runs that the answer lacks or shows in an earlier state. */
  constructor(why: string, readonly runs: readonly number[] = []) {
    super(PREFIX + why);
  }
}

/** Why an answer is stale, even if the client has wrapped the error; null for other errors. */
export function staleFailureOf(error: unknown): string | null {
  const { name, message, cause } = Object(error) as Partial<Error>;
  if (name === StaleAnswerError.name) return message!;
  return cause === undefined ? null : staleFailureOf(cause);
}

export function isStaleFailure(failure: string | null): boolean {
  return failure?.startsWith(PREFIX) ?? false;
}

/** The error for an answer without runs that were read before, or with ended runs as unfinished. */
export function lacking(ids: readonly number[], reopened: readonly number[]): StaleAnswerError {
  const parts = [
    ids.length > 0 &&
    `it lacks ${formatCountOf(ids.length, "run", "runs")} that were read before, such as ${ids[0]}`,
    reopened.length > 0 && `it shows run ${reopened[0]} as it was before it ended`,
  ];
  return new StaleAnswerError(parts.filter((part) => part !== false).join(", and "), [
    ...ids,
    ...reopened,
  ]);
}

const PAUSE_MS = 10_000;
export const LONGEST_PAUSE_MS = HOUR;

export interface ServiceAccess {
  readonly backend: Backend;
  pausedUntil(): number;
  /** Null for the embedded service, which uses this machine's clock. */
  readonly clock: Omit<ReturnType<typeof createServiceClock>, "addOffset"> | null;
}

export function directAccess(backend: Backend): ServiceAccess {
  return { backend, pausedUntil: () => 0, clock: null };
}

export function upstreamAccess(
  { baseUrl, token, tokenHeader, now, send }: {
    readonly baseUrl: string;
    readonly token: string;
    readonly tokenHeader: string;
    readonly now: () => number;
    readonly send?: ReturnType<typeof boundedFetch>;
  },
): ServiceAccess {
  let paused = 0;
  // A time further in the future was set before the clock was set back.
  const pausedUntil = () => paused <= now() + LONGEST_PAUSE_MS ? paused : 0;
  const clock = createServiceClock();
  const bounded = send ?? boundedFetch();

  async function observedFetch(url: string, init: RequestInit): Promise<Response> {
    const sent = now();
    const response = await bounded(url, init);
    const { status, headers } = response;
    const at = now();
    // If the process was suspended meanwhile, the answer says nothing about the clock.
    const isSlow = at - sent > CLOCK_OFF_MS;
    const date = Date.parse(headers.get("date") ?? "");
    // The header has whole seconds, so assumes the middle of the second.
    if (!isSlow && !Number.isNaN(date) && !clock.addOffset(date + 500 - at) && response.ok) {
      await response.body?.cancel();
      throw new StaleAnswerError("its date is not that of the service's other answers");
    }
    const retryAfter = parseRetryAfter(headers.get("retry-after"), at);
    if (status === 429 || status === 503 && retryAfter !== undefined) {
      const pause = Math.ceil(Math.min(retryAfter || PAUSE_MS, LONGEST_PAUSE_MS));
      paused = Math.max(pausedUntil(), at + pause);
    }
    return response;
  }

  const client = createClient({
    baseUrl,
    token,
    tokenHeader,
    fetch: observedFetch,
    attempts: 1,
    ...TIMEOUTS.page,
  });
  return { backend: client, pausedUntil, clock };
}

export function isTooMany(error: unknown): boolean {
  return isDocketError(error) && error.kind === "http" && error.status === 429;
}

const FAULTS: Readonly<Record<string, string>> = {
  timeout: "The service did not answer in time",
  network: "The service could not be reached",
  shape: "The service's answer is not a history",
  stalled:
    "The service does not return the rest of the history: it ignores skip, or repeats itself",
};

/** Why a poll failed. Does not quote the service. */
export function failureWords(error: unknown): string {
  const stale = staleFailureOf(error);
  if (stale !== null) return stale;
  const status = errorStatus(error);
  if (status === 401) return "The service refused OBSERVER_TOKEN (status 401)";
  if (status === 403) return "The service does not let OBSERVER_TOKEN read it (status 403)";
  if (status === 404) return NO_SCHEDULE;
  if (status !== null) return `The service answered with status ${status}`;
  const fault = isDocketError(error) && FAULTS[error.kind] || "The request to the service failed";
  const cause = fault === FAULTS.network ? findKnownCause(error) : wrongField(error);
  return fault + (cause && `: ${cause}`);
}

/** Which field of an answer is wrong and what it must be, such as `endTime must be a date-time, …`. */
function wrongField(error: unknown): string {
  if (!isDocketError(error) || error.kind !== "shape" || !error.path) return "";
  const [, rule = "is wrong"] = / of the answer (must be .*)$/s.exec(error.message) ?? [];
  return `${error.path.replace(/\[\d+\]/g, "").replace(/^\./, "")} ${rule}`;
}

const MAX_OFFSETS = 9;
/** With fewer answers, the service's clock is assumed to be right. */
const MIN_OFFSETS = 3;
/** An answer further from the service's clock is stale; a clock further from ours is reported. */
export const CLOCK_OFF_MS = MINUTE;

/** The service's clock is the median of its latest answers, so a single wrong answer has no effect. */
export function createServiceClock() {
  let latest: readonly number[] = [];
  return {
    /** How far the service's clock is ahead of ours, in milliseconds; null if unknown. */
    offset: () => latest.length === 0 ? null : medianOf(latest),
    /** The offsets of the latest answers, oldest first. Other instances start with them. */
    latest: () => latest,
    /** Starts with offsets that another instance found, unless some are known. */
    startWith(offsets: readonly number[]): void {
      if (latest.length === 0) latest = offsets.slice(-MAX_OFFSETS);
    },
    /** Adds an answer's offset; returns whether it fits the service's clock. */
    addOffset(offset: number): boolean {
      const clock = latest.length < MIN_OFFSETS ? 0 : medianOf(latest);
      // Added even if it does not fit: if most answers agree with it, the clock was changed.
      latest = [...latest, offset].slice(-MAX_OFFSETS);
      return Math.abs(offset - clock) <= CLOCK_OFF_MS;
    },
  };
}

/** The median; of two middle values, the one closer to zero. */
function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return Math.abs(low) <= Math.abs(high) ? low : high;
}
