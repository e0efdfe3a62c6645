/** The upstream service: a client with limits on time and size. */
import type { Backend } from "../../lib/client/backend.ts";
import { createClient } from "../../lib/client/client.ts";
import { HttpStatusError, isDocketError, ShapeError } from "../../lib/errors.ts";
import type { Runtime } from "../../lib/client/transport/runtime.ts";
import { ProblemError } from "../http/problem.ts";
import type { SeparateRecords } from "./embedded.ts";
import type { Caller, Service } from "./service.ts";
import type { Settings } from "../config/settings.ts";
import { countInMemory } from "../store/limit.ts";

/**
 * Limits in milliseconds of one attempt, and of one call with all its attempts and pauses. A download
 * can wait a minute if the service asks for it.
 */
export const TIMEOUTS = {
  page: { timeoutMs: 10_000, deadlineMs: 20_000 },
  download: { timeoutMs: 30_000, deadlineMs: 120_000 },
} as const;

/** The longest answer that is read: 1,000 rows of 32 KiB each. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

export function upstreamService(
  baseUrl: string,
  settings: Settings,
  runtime: Runtime,
  separate: SeparateRecords | null = null,
): Service {
  function backendFor(token: string, { requestId, timeouts = "page" }: Caller): Backend {
    const { fileSets, reportSchedules } = createClient({
      baseUrl,
      token,
      tokenHeader: settings.serviceTokenHeader,
      headers: { "x-request-id": requestId },
      fetch: boundedFetch(),
      ...TIMEOUTS[timeouts],
      runtime,
    });
    async function safe<Answer>(answer: PromiseLike<Answer>): Promise<Answer> {
      try {
        return await answer;
      } catch (error) {
        throw withoutUpstreamText(error);
      }
    }
    return {
      fileSets: { search: (body, options) => safe(fileSets.search(body, options)) },
      reportSchedules: { history: (id, options) => safe(reportSchedules.history(id, options)) },
    };
  }

  return {
    kind: "upstream",
    identity: baseUrl,
    store: null,
    records: separate?.records ?? null,
    embeddedToken: null,
    backendFor,
    async holderOf(token, caller, signal) {
      try {
        await backendFor(token, caller).fileSets.search({}, { limit: 1, signal });
        return { name: null };
      } catch (error) {
        if (isHttpError(error) && [401, 403].includes(error.status)) return null;
        throw error;
      }
    },
    countUse: countInMemory(),
    reach: (signal) => reachUpstream(baseUrl, signal),
    open: () => Promise.resolve(),
    close: async () => await separate?.close(),
  };
}

/** Needs no token: any status below 500 shows that the service is running. */
async function reachUpstream(baseUrl: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(baseUrl, { redirect: "manual", signal });
  await response.body?.cancel();
  const { status } = response;
  if (status >= 500) throw new ProblemError(502, `The upstream answered with status ${status}`);
}

/** With these statuses, the service's text is about the request, and its sender needs it. */
const STATUSES_ABOUT_INPUT = new Set([400, 404, 409, 429]);

/** The error without the service's text, which may be internal if it failed or rejected the token. */
function withoutUpstreamText(error: unknown): unknown {
  if (!isHttpError(error) || STATUSES_ABOUT_INPUT.has(error.status)) return error;
  const { status, retryAfterMs, requestId, attempts } = error;
  const details = { retryAfterMs, requestId, attempts };
  return new HttpStatusError(status, `The service answered with status ${status}`, details);
}

/**
 * Fetch that limits the size of successful responses after decompression, because a service may never
 * stop sending. Of other responses, the client only reads the beginning.
 */
export function boundedFetch(maxBytes = MAX_ANSWER_BYTES) {
  return async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    if (!response.ok || !response.body) return response;
    let bytes = 0;
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        // Not a network error, because the client would then retry.
        if (bytes > maxBytes) throw tooLongError(maxBytes);
        // A copy: each chunk from the network would keep a whole block of memory.
        controller.enqueue(chunk.slice());
      },
    });
    return new Response(response.body.pipeThrough(bounded), response);
  };
}

function tooLongError(bytes: number): ShapeError {
  const size = bytes / 1024 / 1024;
  return new ShapeError("", `The answer is longer than ${size} MiB, so Docket stopped reading it`);
}

function isHttpError(error: unknown): error is HttpStatusError {
  return isDocketError(error) && error.kind === "http";
}
