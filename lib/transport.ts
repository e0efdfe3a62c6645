/**
 * Sends a request until there is an answer: attempts, waiting, timeouts, abort. Only this module
 * waits between attempts, and only {@link ./retry.ts} says how long.
 *
 * @module
 */

import { attemptOnce, mayRetry } from "./attempt.ts";
import {
  AbortError,
  type AnyDocketError,
  type Attempt,
  ConfigurationError,
  type HttpStatusError,
  isDocketError,
  TimeoutError,
} from "./errors.ts";
import { createGate, type Passage } from "./gate.ts";
import { excerptOf, scrub } from "./redact.ts";
import type { RequestPlan } from "./request.ts";
import { waitMs } from "./retry.ts";
import type { Runtime } from "./runtime.ts";
import type { ClientSettings } from "./settings.ts";
import { within } from "./within.ts";

/** What belongs to one request. */
export interface Call {
  /** The caller's signal. */
  readonly signal?: AbortSignal | undefined;
  /** The deadline of the walk that the request belongs to. */
  readonly deadline?: Deadline | undefined;
  /** The way through the gate of the walk that the request belongs to. */
  readonly gate?: Passage;
  /** Starts a timer, in place of the runtime's own way. */
  readonly setTimer?: Runtime["setTimer"];
}

/** When something must be done. */
export interface Deadline {
  /** When it is over, in milliseconds since 1970. */
  readonly at: number;
  /** How long it was, in milliseconds. */
  readonly ms: number;
}

/**
 * Sends a request and reads the answer.
 *
 * @param plan The request.
 * @param read Turns the body's text into the result; throws a `ShapeError` when it can't.
 * @param settings What stays the same for all requests.
 * @param call What belongs to this one.
 * @returns The result of `read`.
 * @throws {DocketError} Always one of this library's errors, with all attempts in it.
 */
export async function send<T>(
  plan: RequestPlan,
  read: (text: string) => T,
  settings: ClientSettings,
  call: Call = {},
): Promise<T> {
  const { runtime, timeoutMs, deadlineMs } = settings;
  const {
    signal,
    deadline: outer,
    gate = createGate(runtime, 1)(0),
    setTimer = (callback, ms) => runtime.setTimer(callback, ms),
  } = call;
  const own = { at: runtime.now() + deadlineMs, ms: deadlineMs };
  const deadline = outer && outer.at < own.at ? outer : own;
  const left = () => deadline.at - runtime.now();
  const attempts: Attempt[] = [];
  let tail = "";

  const aborted = () => new AbortError("it was aborted", { cause: signal?.reason });
  /** Does work within the call's bounds, or within a shorter time of its own. */
  const bounded = <R>(work: (signal: AbortSignal) => Promise<R>, ownMs = Infinity): Promise<R> => {
    const rest = left();
    return within(work, Math.min(ownMs, rest), setTimer, signal, (isAbort) => {
      if (isAbort) return aborted();
      const [scope, ms] = ownMs < rest
        ? ["attempt", ownMs] as const
        : ["deadline", deadline.ms] as const;
      const said = `no answer within the ${scope}'s limit of ${ms / 1000} s`;
      return new TimeoutError(scope, ms, said);
    });
  };

  try {
    for (;;) {
      if (signal?.aborted) throw aborted();
      const leave = gate.enterAtOnce() ?? await bounded(gate.enter);
      const beganAt = runtime.now();
      let error: AnyDocketError;
      let bad: HttpStatusError | undefined;
      try {
        const once = (own: AbortSignal) =>
          attemptOnce(plan, read, settings, own, (error) => bad = error);
        const answer = await bounded(once, timeoutMs);
        leave();
        return answer;
      } catch (thrown) {
        error = isDocketError(thrown)
          ? thrown
          : new ConfigurationError("fetch", "it could not be made", { cause: thrown });
        // A bad status whose body stalls is that status, and no timeout.
        if (error.kind === "timeout") error = bad ?? error;
      }
      const { status, retryAfterMs } = error as Partial<HttpStatusError>;
      const made = attempts.length + 1;
      const wait = waitMs(made, runtime.random(), retryAfterMs);
      const again = mayRetry(error) && made < settings.attempts;
      const waits = again && wait < left();
      attempts.push({
        ...(status !== undefined && { status }),
        ms: Math.round(runtime.now() - beganAt),
        waitedMs: waits ? wait : 0,
        reason: error.message,
      });
      // When the gate closes, every request of the walk waits before it, this one among them.
      const closesGate = waits && status === 429;
      leave(closesGate ? wait : undefined);
      if (again && !waits) tail = `; waiting ${wait / 1000} s would go past the deadline`;
      if (!waits) throw error;
      if (!closesGate) await bounded((signal) => runtime.sleep(wait, signal));
    }
  } catch (thrown) {
    // Completed, and without any secret.
    const error = thrown as Record<string, unknown> & Error;
    const { redact } = settings.redactor;
    const tried = attempts.length > 1 ? `, after ${attempts.length} attempts` : "";
    const message = `The request to ${plan.operation} failed: ${error.message}${tried}${tail}`;
    const stack = error.stack?.replace(error.message, () => message);
    Object.assign(error, { message, stack, attempts, request: `${plan.method} ${plan.url}` });
    if (error.excerpt) error.excerpt = excerptOf(String(error.excerpt), redact);
    for (const name of Object.getOwnPropertyNames(error)) {
      // The reason of an abort is the caller's own object.
      if (name !== "cause" || error.kind !== "abort") error[name] = scrub(error[name], redact);
    }
    throw error;
  }
}
