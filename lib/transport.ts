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
  isDocketError,
  TimeoutError,
} from "./errors.ts";
import type { Passage } from "./gate.ts";
import { type Redactor, scrub } from "./redact.ts";
import type { RequestPlan } from "./request.ts";
import { waitMs } from "./retry.ts";
import type { Runtime } from "./runtime.ts";
import { Interruption, within } from "./within.ts";

/** A token, or a function that is asked for one before each attempt, or null to send none. */
export type Token = string | (() => string | Promise<string>) | null;

/** What stays the same for all requests of a client. */
export interface TransportSettings {
  /** Sends a request. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The token. */
  readonly token: Token;
  /** Name of the token's header. */
  readonly tokenHeader: string;
  /** Headers that every request carries besides. */
  readonly headers: Readonly<Record<string, string>>;
  /** The most attempts for one request. */
  readonly attempts: number;
  /** Time for one attempt with its whole body, in milliseconds. */
  readonly timeoutMs: number;
  /** Time for one request with all attempts and waiting, in milliseconds. */
  readonly deadlineMs: number;
  /** Clock, waiting and chance. */
  readonly runtime: Runtime;
  /** Knows the secrets. */
  readonly redactor: Redactor;
}

/** What belongs to one request. */
export interface Call {
  /** The caller's signal. */
  readonly signal?: AbortSignal;
  /** The deadline of the walk that the request belongs to. */
  readonly deadline?: {
    /** When it is over, in milliseconds since 1970. */
    readonly at: number;
    /** How long it was, in milliseconds. */
    readonly ms: number;
  };
  /** The way through the gate of the walk that the request belongs to. */
  readonly gate?: Passage;
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
  settings: TransportSettings,
  call: Call = {},
): Promise<T> {
  const { runtime, redactor, timeoutMs } = settings;
  const own = { at: runtime.now() + settings.deadlineMs, ms: settings.deadlineMs };
  const deadline = call.deadline && call.deadline.at < own.at ? call.deadline : own;
  const left = () => deadline.at - runtime.now();
  const attempts: Attempt[] = [];

  const abortError = () =>
    new AbortError(`The request to ${plan.operation} was aborted`, {
      cause: call.signal?.reason,
    });
  /** Does work within the call's bounds, or within a shorter time of its own. */
  const bounded = async <R>(work: (signal: AbortSignal) => Promise<R>, ms: number): Promise<R> => {
    const rest = left();
    const isOwn = ms < rest;
    try {
      return await within({ runtime, ms: isOwn ? ms : rest, signal: call.signal }, work);
    } catch (thrown) {
      if (!(thrown instanceof Interruption)) throw thrown;
      if (thrown.by === "signal") throw abortError();
      const [scope, limit] = isOwn ? ["attempt" as const, ms] : ["deadline" as const, deadline.ms];
      const said = `The request to ${plan.operation} was not answered within ${seconds(limit)}` +
        (isOwn ? "" : ", its deadline");
      throw new TimeoutError(scope, limit, said);
    }
  };
  /** Completes an error, and removes every secret from it. */
  const complete = (error: AnyDocketError, tail = ""): AnyDocketError => {
    const tried = attempts.length > 1 ? `, after ${attempts.length} attempts` : "";
    const message = error.message + tried + tail;
    const details = {
      message,
      stack: error.stack?.replace(error.message, () => message),
      attempts,
      request: `${plan.method} ${plan.url}`,
    };
    const known = error as unknown as Record<string, unknown>;
    Object.assign(known, details);
    for (const name of Object.getOwnPropertyNames(error)) {
      known[name] = scrub(known[name], redactor.redact);
    }
    return error;
  };
  const orComplete = (thrown: unknown): never => {
    throw complete(thrown as AnyDocketError);
  };

  for (;;) {
    if (call.signal?.aborted) throw complete(abortError());
    const leave = call.gate &&
      (call.gate.enterAtOnce() ?? await bounded(call.gate.enter, Infinity).catch(orComplete));
    const beganAt = runtime.now();
    let error: AnyDocketError;
    try {
      const answer = await bounded(
        (signal) => attemptOnce(plan, read, settings, signal),
        timeoutMs,
      );
      leave?.();
      return answer;
    } catch (thrown) {
      error = isDocketError(thrown)
        ? thrown
        : new ConfigurationError("fetch", "The request could not be made", { cause: thrown });
    }
    const status = error.kind === "http" || error.kind === "shape" ? error.status : undefined;
    const retryAfterMs = error.kind === "http" ? error.retryAfterMs : undefined;
    const wait = waitMs(attempts.length + 1, runtime.random(), retryAfterMs);
    const again = mayRetry(error) && attempts.length + 1 < settings.attempts;
    const inTime = wait < left();
    const waits = again && inTime;
    attempts.push({
      ...(status === undefined ? {} : { status }),
      ms: Math.round(runtime.now() - beganAt),
      waitedMs: waits ? wait : 0,
      reason: error.kind === "http" ? `status ${status}` : error.message,
    });
    // When the gate closes, every request of the walk waits before it, this one among them.
    const gateWaits = waits && leave !== undefined && status === 429;
    leave?.(gateWaits ? wait : undefined);
    if (!waits) {
      throw complete(
        error,
        again ? `; waiting ${seconds(wait)} more would go past the deadline` : "",
      );
    }
    if (!gateWaits) {
      await bounded((signal) => runtime.sleep(wait, signal), Infinity).catch(orComplete);
    }
  }
}

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
}
