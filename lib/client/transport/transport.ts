/** Sends a request, and retries it until it succeeds, can't succeed, or a limit is reached. */
import {
  AbortError,
  type AnyDocketError,
  ConfigurationError,
  type DocketError,
  type HttpStatusError,
  isDocketError,
  TimeoutError,
} from "../../errors.ts";
import { attemptOnce, type AttemptState, mayRetry, shownHeaders } from "./attempt.ts";
import { type Redact, scrub, toExcerpt } from "./redact.ts";
import type { SentRequest } from "./request.ts";
import { waitMs } from "./retry.ts";
import { within } from "./runtime.ts";
import type { ClientSettings, ResponseInfo } from "./settings.ts";

export interface Call {
  readonly signal?: AbortSignal | undefined;
  /** The deadline of the walk that the request belongs to. */
  readonly deadline?: Deadline | undefined;
}

export interface Deadline {
  /** When it is over, in milliseconds since 1970. */
  readonly at: number;
  readonly ms: number;
}

/** Sends a request and reads the answer. Errors are the library's own, with all attempts. */
export async function send<Data>(
  request: SentRequest,
  read: (text: string) => Data,
  settings: ClientSettings,
  call: Call = {},
): Promise<{ readonly data: Data; readonly response: ResponseInfo }> {
  const { runtime, hooks, pause } = settings;
  const limits = createLimits(settings, call);
  const sleep = (ms: number) => limits.bound((signal) => runtime.sleep(ms, signal));
  const attempts: DocketError["attempts"][number][] = [];
  let rejected: string | undefined;
  let tail = "";

  try {
    for (;;) {
      limits.checkSignal();
      // If the service asked for a pause, every request of the client waits.
      for (let ms; (ms = pause.until - runtime.now()) > 0;) {
        if (ms >= limits.left()) throw limits.pausedTooLong();
        await sleep(ms);
      }
      const attempt = attempts.length + 1;
      const info = { method: request.method, url: request.url, attempt };
      hooks.onRequest?.(info);
      const outcome = await attemptWithin(limits, request, read, settings, info, rejected);
      const { error, response, state } = outcome;
      if (state.response) hooks.onResponse?.(response);
      if (!error) return { data: outcome.data!, response };

      const { status, ms } = response;
      // The token may have expired meanwhile; its function is asked for a new one, once.
      const isRefreshing = status === 401 && typeof settings.token === "function" &&
        attempts.every((earlier) => earlier.status !== 401);
      rejected = isRefreshing ? state.token! : undefined;
      const chosen = isRefreshing ? 0 : settings.retry?.(error, attempt);
      const { retryAfterMs } = error as Partial<HttpStatusError>;
      const wait = typeof chosen === "number"
        ? chosen
        : waitMs(attempt, runtime.random(), retryAfterMs);
      const isWorthwhile = chosen === undefined ? mayRetry(error) : chosen !== false;
      const wantsRetry = isRefreshing || attempt < settings.attempts && isWorthwhile;
      const retries = wantsRetry && wait < limits.left();
      attempts.push({
        ...(state.response && { status }),
        ms: Math.round(ms),
        waitedMs: retries ? wait : 0,
        reason: error.message,
      });
      if (wantsRetry && !retries) tail = `; waiting ${wait / 1000} s would go past the deadline`;
      if (!retries) throw error;
      hooks.onRetry?.({ ...info, error, waitMs: wait });
      if (status === 429) pause.until = Math.max(pause.until, runtime.now() + wait);
      await sleep(wait);
    }
  } catch (error) {
    // An error of a hook belongs to the caller.
    if (!isDocketError(error)) throw error;
    const tried = attempts.length > 1 ? `, after ${attempts.length} attempts` : "";
    const message = `The request to ${request.operation} failed: ${error.message}${tried}${tail}`;
    const stack = error.stack?.replace(error.message, () => message);
    Object.assign(error, { message, stack, attempts, request: `${request.method} ${request.url}` });
    throw error;
  }
}

type Limits = ReturnType<typeof createLimits>;

/** The limits of a call: its signal, and its own deadline or that of its walk. */
function createLimits({ runtime, deadlineMs }: ClientSettings, { signal, deadline }: Call) {
  const own = { at: runtime.now() + deadlineMs, ms: deadlineMs };
  const { at, ms } = deadline && deadline.at < own.at ? deadline : own;
  const left = () => at - runtime.now();
  const aborted = () => new AbortError("it was aborted", { cause: signal?.reason });
  return {
    left,
    pausedTooLong: () =>
      new TimeoutError(
        "deadline",
        ms,
        `the service asked for a pause beyond the deadline's limit of ${ms / 1000} s`,
      ),
    checkSignal() {
      if (signal?.aborted) throw aborted();
    },
    /** Runs work within the limits, and within `ownMs` if that is shorter. */
    bound<T>(work: (signal: AbortSignal) => Promise<T>, ownMs = Infinity): Promise<T> {
      const leftMs = left();
      return within(work, Math.min(ownMs, leftMs), runtime.setTimer, signal, (isAbort) => {
        if (isAbort) return aborted();
        const [scope, limitMs] = ownMs < leftMs
          ? ["attempt", ownMs] as const
          : ["deadline", ms] as const;
        const message = `no answer within the ${scope}'s limit of ${limitMs / 1000} s`;
        return new TimeoutError(scope, limitMs, message);
      });
    },
  };
}

/** Makes one attempt. Its error, if any, is redacted. */
async function attemptWithin<Data>(
  limits: Limits,
  request: SentRequest,
  read: (text: string) => Data,
  settings: ClientSettings,
  info: Pick<ResponseInfo, "method" | "url" | "attempt">,
  rejected: string | undefined,
) {
  const { runtime, timeoutMs, redactor: { redact } } = settings;
  const startedAt = runtime.now();
  const state: AttemptState = {};
  let data: Data | undefined;
  let error: AnyDocketError | undefined;
  try {
    const once = (own: AbortSignal) => attemptOnce(request, read, settings, own, state, rejected);
    data = await limits.bound(once, timeoutMs);
  } catch (thrown) {
    error = isDocketError(thrown)
      ? thrown
      : new ConfigurationError("fetch", "it could not be made", { cause: thrown });
    // If the body of a bad status stalls, the status is the error, not the timeout.
    if (error.kind === "timeout") error = state.badStatus ?? error;
    redactError(error, redact);
  }
  const { headers = new Headers(), status = 0 } = state.response ?? {};
  const shown = scrub(shownHeaders(headers), redact) as Record<string, string>;
  const response = { ...info, status, headers: shown, ms: runtime.now() - startedAt };
  return { data, error, response, state };
}

function redactError(error: AnyDocketError, redact: Redact): void {
  const members = error as unknown as Record<string, unknown>;
  if (members.excerpt) members.excerpt = toExcerpt(String(members.excerpt), redact);
  for (const name of Object.getOwnPropertyNames(error)) {
    // The reason of an abort is the caller's own object.
    if (name !== "cause" || error.kind !== "abort") members[name] = scrub(members[name], redact);
  }
}
