/** Keeps a client within the rate that its service allows. */
import { checkCount } from "../../check.ts";
import { type Runtime, systemRuntime } from "./runtime.ts";

/** After this many good answers in a row, one more request may be in flight. */
const ANSWERS_TO_WIDEN = 10;

/** Lets requests through, or makes them wait; shared by all calls and walks that use it. */
export interface Limiter {
  /**
   * Enters when no waiting is needed.
   *
   * @returns What to call when the request is over, or undefined when it has to wait.
   */
  tryEnter(): Leave | undefined;
  /**
   * Waits until the request may be sent.
   *
   * @param order The request's place; of all that wait, the lowest goes first.
   * @param signal Ends the waiting; a request whose signal is aborted is skipped.
   * @returns What to call when the request is over.
   */
  enter(order: number, signal: AbortSignal): Promise<Leave>;
}

/** Ends a request that the limiter let through. */
export type Leave = (answer?: LimitedAnswer) => void;

/** What an answer says about the rate that the service allows. */
export interface LimitedAnswer {
  /** For how many milliseconds the service wants no more requests. */
  readonly refusedMs?: number;
  /** The answer's headers. */
  readonly headers?: Headers;
}

/** How a limiter works. */
export interface LimiterOptions {
  /** The most requests in flight. Default: 16. */
  readonly mostInFlight?: number;
  /** Clock and waiting, for tests. Default: the real ones. */
  readonly runtime?: Runtime;
}

interface Waiter {
  readonly order: number;
  readonly signal: AbortSignal;
  readonly admit: (leave: Leave) => void;
}

/**
 * Makes a limiter, for the option `limiter` of one or several clients of the same service.
 *
 * When the service answers 429, no request is sent for as long as it asked, and then one at a time,
 * more with each ten good answers. It also heeds `RateLimit` headers, old and new: when nothing
 * remains, it waits for the reset.
 *
 * @param options The most requests in flight.
 * @throws {ConfigurationError} When an option can't be used.
 *
 * @example
 * ```ts
 * import { createClient, createLimiter } from "@docket/docket";
 *
 * const client = createClient({
 *   baseUrl: "https://service.example",
 *   token: "secret",
 *   limiter: createLimiter({ mostInFlight: 4 }),
 *   // Stands in for the service in this example.
 *   fetch: () => Promise.resolve(Response.json([])),
 * });
 * await Promise.all([101, 102, 103].map((id) => client.reportSchedules.history(id)));
 * ```
 */
export function createLimiter(options: LimiterOptions = {}): Limiter {
  const { mostInFlight = 16, runtime = systemRuntime() } = options;
  checkCount("mostInFlight", mostInFlight, 1);
  let waiters: Waiter[] = [];
  let allowed = mostInFlight;
  let inFlight = 0;
  let goodAnswers = 0;
  let closedUntil = 0;

  const closedMs = () => closedUntil - runtime.now();
  const close = (ms: number) => closedUntil = Math.max(closedUntil, runtime.now() + ms);
  const tryEnter = () => {
    if (inFlight >= allowed || closedMs() > 0) return undefined;
    inFlight++;
    return leave;
  };
  const admit = () => {
    waiters = waiters.filter(({ signal }) => !signal.aborted).sort((a, b) => a.order - b.order);
    while (waiters.length > 0 && tryEnter()) waiters.shift()!.admit(leave);
  };
  const leave: Leave = ({ refusedMs, headers } = {}) => {
    inFlight--;
    const limit = headers && readRateLimit(headers, runtime.now());
    if (limit?.remaining === 0) close(limit.resetMs);
    if (refusedMs !== undefined) {
      close(refusedMs);
      allowed = 1;
      goodAnswers = 0;
    } else if (allowed < mostInFlight && ++goodAnswers >= ANSWERS_TO_WIDEN) {
      goodAnswers = 0;
      allowed++;
    }
    admit();
  };

  return {
    tryEnter,
    enter: (order, signal) =>
      new Promise((resolve, reject) => {
        waiters.push({ order, signal, admit: resolve });
        const open = () => {
          const ms = closedMs();
          if (ms > 0) runtime.sleep(ms, signal).then(open, reject);
          else admit();
        };
        open();
      }),
  };
}

/**
 * Reads the `RateLimit` headers of an answer, in the forms that services use: `RateLimit` as a
 * list, `RateLimit-Remaining` and `RateLimit-Reset`, and the same with `X-` in front, where the
 * reset may be a time in seconds since 1970. Returns how many requests remain, and in how many
 * milliseconds there are more.
 */
export function readRateLimit(
  headers: Headers,
  now: number,
): { readonly remaining: number; readonly resetMs: number } | undefined {
  const list = headers.get("ratelimit") ?? "";
  const read = (name: string, short: string) => {
    const text = new RegExp(`\\b(?:${name}|${short})=(\\d+)`).exec(list)?.[1] ??
      headers.get(`ratelimit-${name}`) ?? headers.get(`x-ratelimit-${name}`);
    return /^\d+(\.\d+)?$/.test(text ?? "") ? Number(text) : undefined;
  };
  const remaining = read("remaining", "r");
  const reset = read("reset", "t");
  if (remaining === undefined || reset === undefined) return undefined;
  // A reset of more than thirty years is a moment.
  const resetMs = reset > 1e9 ? reset * 1000 - now : reset * 1000;
  return { remaining, resetMs: Math.max(0, resetMs) };
}
