/**
 * Sends a request until there is an answer: attempts, waiting, timeouts, abort. Only this module
 * waits between attempts, and only {@link ./retry.ts} says how long.
 *
 * @module
 */

import {
  AbortError,
  type Attempt,
  ConfigurationError,
  type DocketError,
  type ErrorDetails,
  TimeoutError,
} from "./errors.ts";
import { attemptOnce, Failure } from "./attempt.ts";
import type { Gate, Leave } from "./gate.ts";
import type { Redactor } from "./redact.ts";
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
  /** The gate of the walk that the request belongs to, and the request's place in the walk. */
  readonly gate?: { readonly gate: Gate; readonly order: number };
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
  const { runtime, redactor } = settings;
  const startedAt = runtime.now();
  const own = { at: startedAt + settings.deadlineMs, ms: settings.deadlineMs };
  const deadline = call.deadline && call.deadline.at < own.at ? call.deadline : own;
  const attempts: Attempt[] = [];
  const left = () => deadline.at - runtime.now();
  const bounds = (ms: number) => ({
    runtime,
    ms,
    ...(call.signal ? { signal: call.signal } : {}),
  });
  const details = (): ErrorDetails => ({
    attempts,
    request: `${plan.method} ${plan.url}`,
    redact: redactor.redact,
  });
  /** What an interruption means when it is not the attempt's own time that ran out. */
  const interruptedError = ({ by }: Interruption): DocketError => {
    if (by === "signal") {
      const said = `The request to ${plan.operation} was aborted`;
      return new AbortError(said, { ...details(), cause: call.signal?.reason });
    }
    const said = `The request to ${plan.operation} was not answered before the deadline of ` +
      `${seconds(deadline.ms)}${tried(attempts)}`;
    return new TimeoutError("deadline", deadline.ms, said, details());
  };
  const orInterrupted = async <R>(work: Promise<R>): Promise<R> => {
    try {
      return await work;
    } catch (thrown) {
      throw thrown instanceof Interruption ? interruptedError(thrown) : thrown;
    }
  };

  for (;;) {
    if (call.signal?.aborted) throw interruptedError(new Interruption("signal"));
    const leave = call.gate && (call.gate.gate.enterAtOnce() ??
      await orInterrupted(within(bounds(left()), (signal) => enter(call.gate!, signal))));
    const attemptAt = runtime.now();
    const ownTime = settings.timeoutMs < left();
    const attemptMs = ownTime ? settings.timeoutMs : left();
    let failure: Failure;
    try {
      const answer = await within(
        bounds(attemptMs),
        (signal) => attemptOnce(plan, read, settings, signal),
      );
      leave?.();
      return answer;
    } catch (thrown) {
      failure = thrown instanceof Interruption
        ? interruptedFailure(thrown, ownTime, settings.timeoutMs, plan, interruptedError)
        : toFailure(thrown, redactor);
    }

    const wait = waitMs(attempts.length + 1, runtime.random(), failure.retryAfterMs);
    const again = failure.retry && attempts.length + 1 < settings.attempts;
    const inTime = wait < left();
    attempts.push({
      ...(failure.status === undefined ? {} : { status: failure.status }),
      ms: Math.round(runtime.now() - attemptAt),
      waitedMs: again && inTime ? wait : 0,
      reason: failure.reason,
    });
    // When the gate closes, every request of the walk waits before it, this one among them.
    const gateWaits = again && inTime && leave !== undefined && failure.status === 429;
    leave?.(gateWaits ? wait : undefined);
    if (!again) throw failure.error(tried(attempts), details());
    if (!inTime) {
      const asked = `; another attempt would have to wait ${seconds(wait)}, past the deadline`;
      throw failure.error(tried(attempts) + asked, details());
    }
    if (gateWaits) continue;
    await orInterrupted(within(bounds(left()), (signal) => runtime.sleep(wait, signal)));
  }
}

/** Enters the gate, and leaves it again at once when the entrance comes too late. */
async function enter(
  { gate, order }: NonNullable<Call["gate"]>,
  signal: AbortSignal,
): Promise<Leave> {
  const leave = await gate.enter(order, signal);
  if (signal.aborted) leave();
  return leave;
}

function interruptedFailure(
  interruption: Interruption,
  ownTime: boolean,
  timeoutMs: number,
  plan: RequestPlan,
  interruptedError: (interruption: Interruption) => DocketError,
): Failure {
  if (interruption.by === "time" && ownTime) {
    return new Failure("no whole answer in time", {
      retry: true,
      error: (tail, details) => {
        const said = `The request to ${plan.operation} was not answered within ` +
          `${seconds(timeoutMs)}${tail}`;
        return new TimeoutError("attempt", timeoutMs, said, details);
      },
    });
  }
  return new Failure(interruption.by === "time" ? "deadline reached" : "aborted", {
    retry: false,
    error: () => interruptedError(interruption),
  });
}

function toFailure(thrown: unknown, { redact }: Redactor): Failure {
  if (thrown instanceof Failure) return thrown;
  // Nothing else should be thrown; if it is, it must not leave with a secret in it.
  return new Failure("unexpected error", {
    retry: false,
    error: (_tail, details) =>
      new ConfigurationError("fetch", "The request could not be made", {
        ...details,
        cause: thrown,
        redact,
      }),
  });
}

function tried(attempts: readonly Attempt[]): string {
  return attempts.length > 1 ? `, after ${attempts.length} attempts` : "";
}

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
}
