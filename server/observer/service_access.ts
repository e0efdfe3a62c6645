/** The observer's access to the service: without retries, and with one pause for all watches. */
import type { Backend } from "../../lib/client/backend.ts";
import { createClient } from "../../lib/client/client.ts";
import { HOUR, MINUTE } from "../../lib/time_units.ts";
import { parseRetryAfter } from "../../lib/client/transport/retry.ts";
import { boundedFetch, TIMEOUTS } from "../backend/upstream.ts";
import type { ServiceFacts } from "../store/records/shared.ts";

export class StaleAnswerError extends Error {
  override readonly name = StaleAnswerError.name;
  /** `runs` are the ids of the runs that the answer lacks or shows in an earlier state. */
  constructor(why: string, readonly runs: readonly number[] = []) {
    super(`The answer is stale: ${why}`);
  }
}

/** Why an answer is stale, even if the client has wrapped the error; null for other errors. */
export function findStaleFailure(error: unknown): string | null {
  const { name, message, cause } = Object(error) as Partial<Error>;
  if (name === StaleAnswerError.name) return message!;
  return cause === undefined ? null : findStaleFailure(cause);
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
    readonly send?: typeof boundedFetch;
  },
): ServiceAccess {
  let paused = 0;
  // A time further in the future was set before the clock was set back.
  const pausedUntil = () => paused <= now() + LONGEST_PAUSE_MS ? paused : 0;
  const clock = createServiceClock();
  const bounded = send ?? boundedFetch;

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
    if (status === 429 || retryAfter !== undefined) {
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

const MAX_OFFSETS = 9;
/** With fewer answers, the service's clock is assumed to be right. */
const MIN_OFFSETS = 3;
/** An answer further from the service's clock is stale; a clock further from ours is reported. */
export const CLOCK_OFF_MS = MINUTE;

/** The service's clock is the median of its latest answers, so a single wrong answer has no effect. */
function createServiceClock() {
  let latest: readonly number[] = [];
  return {
    /** How far the service's clock is ahead of ours, in milliseconds; null if unknown. */
    offset: () => latest.length === 0 ? null : nearestMedian(latest),
    /** The offsets of the latest answers, oldest first. Other instances start with them. */
    latest: () => latest,
    /** Starts with offsets that another instance found, unless some are known. */
    startWith(offsets: readonly number[]): void {
      if (latest.length === 0) latest = offsets.slice(-MAX_OFFSETS);
    },
    /** Adds an answer's offset; returns whether it fits the service's clock. */
    addOffset(offset: number): boolean {
      const clock = latest.length < MIN_OFFSETS ? 0 : nearestMedian(latest);
      // Added even if it does not fit: if most answers agree with it, the clock was changed.
      latest = [...latest, offset].slice(-MAX_OFFSETS);
      return Math.abs(offset - clock) <= CLOCK_OFF_MS;
    },
  };
}

/** How far the service's clock is ahead of ours, as the observer found; null if that is not known. */
export function knownClockOffset(
  { clockOffsets }: Pick<ServiceFacts, "clockOffsets">,
): number | null {
  const clock = createServiceClock();
  clock.startWith(clockOffsets ?? []);
  return clock.offset();
}

/** The median; of two middle values, the one closer to zero. */
function nearestMedian(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return Math.abs(low) <= Math.abs(high) ? low : high;
}
