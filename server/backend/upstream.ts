/** The upstream service: its client, with limits on time and size, and its errors logged. */
import type { Backend } from "../../lib/client/backend.ts";
import type { Client } from "../../lib/client/operations.ts";
import { createClient } from "../../lib/client/client.ts";
import {
  AbortError,
  HttpStatusError,
  isDocketError,
  ShapeError,
  TimeoutError,
} from "../../lib/errors.ts";
import { normalizeBaseUrl, searchRequest } from "../../lib/client/transport/request.ts";
import type { Runtime } from "../../lib/client/transport/runtime.ts";
import { backendFrom } from "./backend_calls.ts";
import { boundedFetch } from "./bounded_fetch.ts";
import { logUpstreamError } from "../log/log_problem.ts";
import { ProblemError } from "../http/problem.ts";
import type { OwnRecords } from "./own_records.ts";
import { requestCounter } from "./request_limit.ts";
import type { Caller, Service } from "./service.ts";
import type { Settings } from "../config/settings.ts";
import { countInMemory } from "../store/limit.ts";
import { observedBackend, observedFetch } from "./observed_backend.ts";
import { createSharedCalls } from "../store/shared_calls.ts";

/**
 * Timeouts in milliseconds: for one attempt, for one call with its attempts and pauses, and for all
 * calls of one request. A download makes any number of calls, and waits a minute if the service asks
 * for that.
 */
export const TIMEOUTS = {
  page: { attemptMs: 10_000, callMs: 20_000, allMs: 20_000 },
  download: { attemptMs: 30_000, callMs: 120_000, allMs: Infinity },
} as const;

/** Times that differ by less than this count as the same, in milliseconds. */
const SIMILAR_MS = 5000;

/** The longest answer that is read: 1,000 rows of 32 KiB each. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** The service at that address, for callers with a token for it. */
export function upstreamService(
  baseUrl: string,
  settings: Settings,
  runtime: Runtime,
  own: OwnRecords | null = null,
): Service {
  const share = createSharedCalls();

  function backendFor(token: string, { requestId, log, timeouts = "page" }: Caller): Backend {
    const { attemptMs, callMs, allMs } = TIMEOUTS[timeouts];
    const end = runtime.now() + allMs;
    let failure: unknown;

    async function call<T>(
      on: (client: Client, signal: AbortSignal) => PromiseLike<T>,
      signal: AbortSignal,
      left: number,
    ): Promise<T> {
      const tooLong = new AbortController();
      try {
        const client = createClient({
          baseUrl,
          token,
          tokenHeader: settings.serviceTokenHeader,
          headers: { "x-request-id": requestId },
          fetch: observedFetch(boundedFetch(MAX_ANSWER_BYTES, () => tooLong.abort(tooLongError()))),
          timeoutMs: attemptMs,
          deadlineMs: Math.ceil(Math.min(callMs, left)),
          runtime,
        });
        return await on(client, AbortSignal.any([signal, tooLong.signal]));
      } catch (thrown) {
        // The client only knows that it was aborted, and must not retry an answer that is too long.
        throw withoutUpstreamText(tooLong.signal.aborted ? tooLong.signal.reason : thrown);
      }
    }

    const backend = backendFrom(async ({ question: { signal, ...question }, on }) => {
      try {
        const left = end - runtime.now();
        if (left <= 0) throw deadlineError(allMs);
        if (failure) throw failure;
        // Callers share a call if they have about the same time left, so none waits much longer.
        const key = JSON.stringify([token, timeouts, Math.ceil(left / SIMILAR_MS), question]);
        return await share(key, signal, (shared) => call(on, shared, left));
      } catch (error) {
        if (signal?.aborted) throw new AbortError("The request was aborted", { cause: error });
        logUpstreamError(log, error);
        if (timeouts === "page" && failsEveryCall(error)) failure = error;
        throw error;
      }
    });
    return observedBackend(backend, "upstream");
  }

  return {
    kind: "upstream",
    identity: baseUrl,
    store: null,
    records: own?.records ?? null,
    embeddedToken: null,
    jsonFor: () => null,
    backendFor,
    async holderOf(token, caller, signal) {
      try {
        await backendFor(token, caller).fileSets.search({}, { limit: 1, signal });
        return { name: null };
      } catch (error) {
        if (isTokenRejected(error)) return null;
        throw error;
      }
    },
    countRequest: requestCounter(settings.rateLimit, countInMemory()),
    reach: (signal) => reachUpstream(baseUrl, signal),
    open: () => Promise.resolve(),
    close: async () => await own?.close(),
  };
}

/** Without a token and with the wrong method: any answer below 500 shows that the service is there. */
async function reachUpstream(baseUrl: string, signal: AbortSignal): Promise<void> {
  const { url } = searchRequest(normalizeBaseUrl(baseUrl), "{}", { limit: 1 });
  const response = await fetch(url, { redirect: "manual", signal });
  await response.body?.cancel();
  const { status } = response;
  if (status >= 500) throw new ProblemError(502, `The upstream answered with status ${status}`);
}

/** With these statuses, the service says what is wrong with the request: its sender needs that. */
const STATUSES_ABOUT_INPUT = new Set([400, 404, 409, 429]);

/**
 * The error without the service's text if it failed or rejected the token: the text may be about its
 * internals, and its reader may not be signed in.
 */
function withoutUpstreamText(error: unknown): unknown {
  if (!isHttpError(error) || STATUSES_ABOUT_INPUT.has(error.status)) return error;
  const { status, retryAfterMs, requestId, attempts } = error;
  const details = { retryAfterMs, requestId, attempts };
  return new HttpStatusError(status, `The service answered with status ${status}`, details);
}

function deadlineError(ms: number): TimeoutError {
  return new TimeoutError("deadline", ms, `The service took more than ${ms / 1000} s in all`);
}

function tooLongError(): ShapeError {
  const size = MAX_ANSWER_BYTES / 1024 / 1024;
  return new ShapeError("", `The answer is longer than ${size} MiB, so Docket stopped reading it`);
}

/**
 * Whether the page's other calls would fail alike. Otherwise, fifty watched schedules would each call
 * a service that asks for a pause.
 */
function failsEveryCall(error: unknown): boolean {
  if (isHttpError(error)) return [401, 429, 503].includes(error.status);
  return isDocketError(error) && (error.kind === "network" || error.kind === "timeout");
}

function isTokenRejected(error: unknown): boolean {
  return isHttpError(error) && [401, 403].includes(error.status);
}

function isHttpError(error: unknown): error is HttpStatusError {
  return isDocketError(error) && error.kind === "http";
}
