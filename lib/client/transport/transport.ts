/** Sends a request until there is an answer. Only this module waits between attempts. */
import type { DocketError } from "../../docket_error.ts";
import { attemptOnce, mayRetry, type Seen, shownHeaders } from "./attempt.ts";
import {
  AbortError,
  type AnyDocketError,
  ConfigurationError,
  type HttpStatusError,
  isDocketError,
  TimeoutError,
} from "../../errors.ts";
import type { ResponseInfo } from "./hooks.ts";
import { excerptOf, type Redact, scrub } from "./redact.ts";
import type { RequestPlan } from "./request.ts";
import { waitMs } from "./retry.ts";
import { within } from "./runtime.ts";
import type { ClientSettings } from "./settings.ts";

export interface Call {
  readonly signal?: AbortSignal | undefined;
  /** The deadline of the walk that the request belongs to. */
  readonly deadline?: Deadline | undefined;
}

export interface Deadline {
  /** When it is over, in milliseconds since 1970. */
  readonly at: number;
  /** How long it was, in milliseconds. */
  readonly ms: number;
}

/** What was read from an answer, and the answer it came in. */
export interface Reply<Data> {
  readonly data: Data;
  readonly response: ResponseInfo;
}

/** Sends a request and reads the answer. Errors are the library's own, with all attempts. */
export async function send<Data>(
  plan: RequestPlan,
  read: (text: string) => Data,
  settings: ClientSettings,
  call: Call = {},
): Promise<Reply<Data>> {
  const { runtime, timeoutMs, deadlineMs, hooks, pause } = settings;
  const { redact } = settings.redactor;
  const { signal, deadline: outer } = call;
  const own = { at: runtime.now() + deadlineMs, ms: deadlineMs };
  const deadline = outer && outer.at < own.at ? outer : own;
  const left = () => deadline.at - runtime.now();
  const attempts: DocketError["attempts"][number][] = [];
  let rejected: string | undefined;
  let tail = "";

  const aborted = () => new AbortError("it was aborted", { cause: signal?.reason });
  /** Does work within the call's bounds, or within a shorter time of its own. */
  const bounded = <R>(work: (signal: AbortSignal) => Promise<R>, ownMs = Infinity): Promise<R> => {
    const rest = left();
    return within(work, Math.min(ownMs, rest), runtime.setTimer, signal, (isAbort) => {
      if (isAbort) return aborted();
      const [scope, ms] = ownMs < rest
        ? ["attempt", ownMs] as const
        : ["deadline", deadline.ms] as const;
      const said = `no answer within the ${scope}'s limit of ${ms / 1000} s`;
      return new TimeoutError(scope, ms, said);
    });
  };

  const sleep = (ms: number) => bounded((signal) => runtime.sleep(ms, signal));

  try {
    for (;;) {
      if (signal?.aborted) throw aborted();
      // A refusal applies to every request of the client.
      for (let ms; (ms = pause.until - runtime.now()) > 0;) await sleep(ms);
      const attempt = attempts.length + 1;
      const { method, url } = plan;
      const info = { method, url, attempt };
      hooks.onRequest?.(info);
      const startedAt = runtime.now();
      const seen: Seen = {};
      let data!: Data;
      let error: AnyDocketError | undefined;
      try {
        const once = (own: AbortSignal) => attemptOnce(plan, read, settings, own, seen, rejected);
        data = await bounded(once, timeoutMs);
      } catch (thrown) {
        error = isDocketError(thrown)
          ? thrown
          : new ConfigurationError("fetch", "it could not be made", { cause: thrown });
        // If the body of a bad status stalls, the status is the error, not the timeout.
        if (error.kind === "timeout") error = seen.badStatus ?? error;
        redactError(error, redact);
      }
      const ms = runtime.now() - startedAt;
      const { headers, status = 0 } = seen.response ?? {};
      const shown = scrub(shownHeaders(headers ?? new Headers()), redact) as Record<string, string>;
      const response = { ...info, status, headers: shown, ms };
      if (headers) hooks.onResponse?.(response);
      if (!error) return { data, response };
      // The token may have expired meanwhile; the function is asked for a new one, once.
      const refreshes = status === 401 && typeof settings.token === "function" &&
        attempts.every((before) => before.status !== 401);
      rejected = refreshes ? seen.token! : undefined;
      const chosen = refreshes ? 0 : settings.retry?.(error, attempt);
      const { retryAfterMs } = error as Partial<HttpStatusError>;
      const wait = typeof chosen === "number"
        ? chosen
        : waitMs(attempt, runtime.random(), retryAfterMs);
      const again = refreshes ||
        attempt < settings.attempts && (chosen === undefined ? mayRetry(error) : chosen !== false);
      const waits = again && wait < left();
      attempts.push({
        ...(headers && { status }),
        ms: Math.round(ms),
        waitedMs: waits ? wait : 0,
        reason: error.message,
      });
      if (again && !waits) tail = `; waiting ${wait / 1000} s would go past the deadline`;
      if (!waits) throw error;
      hooks.onRetry?.({ ...info, error, waitMs: wait });
      if (status === 429) pause.until = Math.max(pause.until, runtime.now() + wait);
      await sleep(wait);
    }
  } catch (error) {
    // An error of a hook belongs to the caller.
    if (!isDocketError(error)) throw error;
    const tried = attempts.length > 1 ? `, after ${attempts.length} attempts` : "";
    const message = `The request to ${plan.operation} failed: ${error.message}${tried}${tail}`;
    const stack = error.stack?.replace(error.message, () => message);
    Object.assign(error, { message, stack, attempts, request: `${plan.method} ${plan.url}` });
    throw error;
  }
}

function redactError(error: AnyDocketError, redact: Redact): void {
  const members = error as unknown as Record<string, unknown>;
  if (members.excerpt) members.excerpt = excerptOf(String(members.excerpt), redact);
  for (const name of Object.getOwnPropertyNames(error)) {
    // The reason of an abort is the caller's own object.
    if (name !== "cause" || error.kind !== "abort") members[name] = scrub(members[name], redact);
  }
}
