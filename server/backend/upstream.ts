/** The upstream service: its client, bounded in time and in what it reads, and its faults logged. */
import type { Backend } from "../../lib/backend.ts";
import { type Client, createClient } from "../../lib/client.ts";
import { HttpStatusError, isDocketError, ShapeError, TimeoutError } from "../../lib/errors.ts";
import { normalizeBaseUrl, searchRequest } from "../../lib/request.ts";
import type { Runtime } from "../../lib/runtime.ts";
import { boundedFetch } from "./bounded_fetch.ts";
import { logUpstreamError } from "../log/log_problem.ts";
import { ProblemError } from "../http/problem.ts";
import { requestCounter } from "./request_limit.ts";
import type { Caller, Service } from "./service.ts";
import type { Settings } from "../config/settings.ts";
import { limitInMemory } from "../store/limit.ts";
import { observedFetch } from "./observed_backend.ts";

/**
 * How long an upstream is waited for, in milliseconds: for one attempt with its whole answer, for
 * one call with all attempts and the pauses between, and for all calls of one request. A download
 * has any number of calls, and is worth a pause of a minute that the service asks for.
 */
export const TIMEOUTS = {
  page: { attemptMs: 10_000, callMs: 20_000, allMs: 20_000 },
  download: { attemptMs: 30_000, callMs: 120_000, allMs: Infinity },
} as const;

/** The longest answer that is read, in bytes: a page of 1,000 rows with 32 KiB each. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** The service at that address, for whoever has a token of it. */
export function upstreamService(
  baseUrl: string,
  settings: Settings,
  runtime: Runtime,
): Service {
  function backendFor(token: string, { requestId, log, timeouts = "page" }: Caller): Backend {
    const { attemptMs, callMs, allMs } = TIMEOUTS[timeouts];
    const end = runtime.now() + allMs;
    let outOfReach: unknown;

    async function call<T>(
      asked: AbortSignal | undefined,
      ask: (client: Client, signal: AbortSignal) => PromiseLike<T>,
    ): Promise<T> {
      const cut = new AbortController();
      try {
        const left = end - runtime.now();
        if (left <= 0) throw lateError(allMs);
        if (outOfReach) throw outOfReach;
        const client = createClient({
          baseUrl,
          token,
          tokenHeader: settings.serviceTokenHeader,
          headers: { "x-request-id": requestId },
          fetch: observedFetch(boundedFetch(MAX_ANSWER_BYTES, () => cut.abort(longError()))),
          timeoutMs: attemptMs,
          deadlineMs: Math.ceil(Math.min(callMs, left)),
          runtime,
        });
        return await ask(client, asked ? AbortSignal.any([asked, cut.signal]) : cut.signal);
      } catch (thrown) {
        // The client only knows that it was stopped; another attempt would bring as much again.
        const error = withoutWords(cut.signal.aborted ? cut.signal.reason : thrown);
        if (!asked?.aborted) logUpstreamError(log, error);
        if (timeouts === "page" && isForAll(error)) outOfReach = error;
        throw error;
      }
    }

    return {
      fileSets: {
        search: (body, options = {}) =>
          call(
            options.signal,
            (client, signal) => client.fileSets.search(body, { ...options, signal }),
          ),
      },
      reportSchedules: {
        history: (scheduleId, options = {}) =>
          call(
            options.signal,
            (client, signal) => client.reportSchedules.history(scheduleId, { ...options, signal }),
          ),
      },
    };
  }

  return {
    kind: "upstream",
    identity: baseUrl,
    store: null,
    embeddedToken: null,
    backendFor,
    async accepts(token, caller, signal) {
      try {
        await backendFor(token, caller).fileSets.search({}, { limit: 1, signal });
        return true;
      } catch (error) {
        if (isRefusal(error)) return false;
        throw error;
      }
    },
    countRequest: requestCounter(settings.rateLimit, limitInMemory),
    reach: (signal) => reachUpstream(baseUrl, signal),
    open: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** Asks without a token, and not even rightly: to be refused is an answer as well. */
async function reachUpstream(baseUrl: string, signal: AbortSignal): Promise<void> {
  const { url } = searchRequest(normalizeBaseUrl(baseUrl), "{}", { limit: 1 });
  const response = await fetch(url, { redirect: "manual", signal });
  await response.body?.cancel();
  const { status } = response;
  if (status >= 500) throw new ProblemError(502, `The upstream answered with status ${status}`);
}

/** What the service says where it refuses a request for what it asks. */
const TELLING = new Set([400, 404, 409, 429]);

/**
 * The error without what the service said where it failed, or refused the token: its words may be of
 * its insides, and who reads them need not be anybody it knows.
 */
function withoutWords(error: unknown): unknown {
  if (!isDocketError(error) || error.kind !== "http" || TELLING.has(error.status)) return error;
  const { status, retryAfterMs, requestId, attempts } = error;
  const details = { retryAfterMs, requestId, attempts };
  return new HttpStatusError(status, `The service answered with status ${status}`, details);
}

function lateError(ms: number): TimeoutError {
  return new TimeoutError("deadline", ms, `The service took more than ${ms / 1000} s in all`);
}

function longError(): ShapeError {
  const size = MAX_ANSWER_BYTES / 1024 / 1024;
  return new ShapeError("", `The answer is longer than ${size} MiB, so it was not read to its end`);
}

/**
 * Whether the other calls of a page need not be tried: each has its own attempts, and fifty watched
 * schedules would ask a service fifty times that wants to be left alone.
 */
function isForAll(error: unknown): boolean {
  if (!isDocketError(error)) return false;
  return error.kind === "network" || error.kind === "timeout" ||
    error.kind === "http" && [401, 429, 503].includes(error.status);
}

function isRefusal(error: unknown): boolean {
  return isDocketError(error) && error.kind === "http" &&
    (error.status === 401 || error.status === 403);
}
