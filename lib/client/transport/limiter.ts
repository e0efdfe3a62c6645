/** Keeps a client within the rate that its service allows. */
import { checkCount } from "../../check.ts";
import { type Runtime, systemRuntime } from "./runtime.ts";

/** After this many good answers, one more request may be in flight. */
const ANSWERS_TO_WIDEN = 10;

/** Lets requests through, or makes them wait; shared by all calls and walks that use it. */
export interface Limiter {
  /**
   * Waits until a request may be sent. The signal ends the waiting.
   *
   * @returns What to call when the request is over; after a refusal, with the number of milliseconds
   * for which the service wants no more requests.
   */
  enter(signal: AbortSignal): Promise<(refusedMs?: number) => void>;
}

type Leave = Awaited<ReturnType<Limiter["enter"]>>;

interface Waiter {
  readonly signal: AbortSignal;
  readonly admit: (leave: Leave) => void;
}

/**
 * Makes a limiter, for the option `limiter` of one or several clients of the same service.
 *
 * After a 429, it sends nothing for as long as the service asked, then one request at a time, and one
 * more after every ten good answers.
 *
 * @param options The most requests in flight, 16 by default; clock and waiting, for tests.
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
export function createLimiter(
  { mostInFlight = 16, runtime = systemRuntime() }: {
    readonly mostInFlight?: number;
    readonly runtime?: Runtime;
  } = {},
): Limiter {
  checkCount("mostInFlight", mostInFlight, 1);
  let waiters: Waiter[] = [];
  let allowed = mostInFlight;
  let inFlight = 0;
  let goodAnswers = 0;
  let closedUntil = 0;

  const closedMs = () => closedUntil - runtime.now();
  const admit = () => {
    waiters = waiters.filter(({ signal }) => !signal.aborted);
    while (waiters.length > 0 && inFlight < allowed && closedMs() <= 0) {
      inFlight++;
      waiters.shift()!.admit(leave);
    }
  };
  const leave: Leave = (refusedMs) => {
    inFlight--;
    if (refusedMs !== undefined) {
      closedUntil = Math.max(closedUntil, runtime.now() + refusedMs);
      allowed = 1;
      goodAnswers = 0;
    } else if (allowed < mostInFlight && ++goodAnswers >= ANSWERS_TO_WIDEN) {
      goodAnswers = 0;
      allowed++;
    }
    admit();
  };

  return {
    enter: (signal) =>
      new Promise((resolve, reject) => {
        waiters.push({ signal, admit: resolve });
        const open = () => {
          const ms = closedMs();
          if (ms > 0) runtime.sleep(ms, signal).then(open, reject);
          else admit();
        };
        open();
      }),
  };
}
