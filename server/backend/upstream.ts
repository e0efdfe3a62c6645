/** The upstream service: a client with limits on time and size. */
import type { Backend } from "../../lib/client/backend.ts";
import { createClient } from "../../lib/client/client.ts";
import { createOwnMatching } from "../../lib/client/own_matching.ts";
import { HttpStatusError, isDocketError, ShapeError } from "../../lib/errors.ts";
import type { Runtime } from "../../lib/client/transport/runtime.ts";
import { ProblemError } from "../http/problem.ts";
import type { StoredRecords } from "./embedded.ts";
import { type Caller, errorStatus, type Holder, type Purpose, type Service } from "./service.ts";
import { createSearchAnswers } from "./search_answers.ts";
import { isTokenText } from "../../lib/check.ts";
import type { Role } from "../auth/role.ts";
import { sameSecret } from "../auth/sealing.ts";
import { isDocketToken } from "../config/setting_values.ts";
import type { Settings } from "../config/settings.ts";
import { LRUCache } from "lru-cache";
import { MINUTE } from "../../lib/time_units.ts";
import { hashToken } from "../store/records/tokens.ts";

/**
 * Limits in milliseconds of one attempt, and of one call with all its attempts and pauses. A download
 * can wait a minute if the service asks for it.
 */
export const TIMEOUTS = {
  page: { timeoutMs: 10_000, deadlineMs: 20_000 },
  download: { timeoutMs: 30_000, deadlineMs: 120_000 },
  /** Whether the service still accepts a session's token, which a page waits for. */
  check: { timeoutMs: 5000, deadlineMs: 5000 },
} as const;

const WITHOUT_OBSERVER_TOKEN =
  "Docket reads the service with OBSERVER_TOKEN for whoever has a Docket token, and it is not set";

function observerRefused(cause: unknown): ProblemError {
  const detail = "The service refuses OBSERVER_TOKEN, with which Docket reads it";
  return new ProblemError(502, detail, { cause });
}

/** Whether an error says nothing about the request: the service failed, or could not be asked. */
function isUnanswered(error: unknown): boolean {
  const status = errorStatus(error);
  return isDocketError(error) && (status === null || status >= 500);
}

/** The longest answer that is read: 1,000 rows of 32 KiB each. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const TOO_LONG = "The answer is longer than 32 MiB, so Docket stopped reading it";

export function upstreamService(
  baseUrl: string,
  settings: Settings,
  runtime: Runtime,
  separate: StoredRecords | null = null,
): Service {
  const answers = createSearchAnswers(runtime.now);
  const matching = createOwnMatching(runtime, answers.onRefused);
  const checks = createTokenChecks(runtime.now);
  const { observer: { token: observerToken }, oidc, allReadRecords } = settings;

  /** The service as it answers this token. */
  function serviceFor(token: string, { requestId, timeouts = "page" }: Caller): Backend {
    if (isDocketToken(token)) throw new Error("A Docket token is never sent to a service");
    const { fileSets, reportSchedules } = createClient({
      baseUrl,
      token,
      tokenHeader: settings.serviceTokenHeader,
      headers: { "x-request-id": requestId },
      fetch: boundedFetch,
      ...TIMEOUTS[timeouts],
      runtime,
    });
    return {
      fileSets: {
        search: (body, options) =>
          checks.watch(token, null, answers.watch(body, fileSets.search(body, options))),
      },
      reportSchedules: {
        history: (id, options) => checks.watch(token, id, reportSchedules.history(id, options)),
      },
    };
  }

  function backendFor(token: string, caller: Caller): Backend {
    const { fileSets, reportSchedules } = serviceFor(token, caller);
    async function safe<Answer>(answer: PromiseLike<Answer>): Promise<Answer> {
      try {
        return await answer;
      } catch (error) {
        if (errorStatus(error) === 401 && token === observerToken) throw observerRefused(error);
        throw withoutUpstreamText(error);
      }
    }
    const backend: Backend = {
      fileSets: { search: (body, options) => safe(fileSets.search(body, options)) },
      reportSchedules: { history: (id, options) => safe(reportSchedules.history(id, options)) },
    };
    return caller.isPage ? matching(backend, token) : backend;
  }

  /** Whom a Docket token lets in. */
  async function holderOfDocketToken(token: string): Promise<Holder | null> {
    const found = await separate?.tokens.find(token, new Date());
    if (!found) return null;
    if (observerToken !== null) return { ...found, serviceToken: observerToken };
    throw new ProblemError(503, WITHOUT_OBSERVER_TOKEN);
  }

  function roleWith(token: string): Role {
    if (oidc) return "user";
    if (observerToken !== null && sameSecret(token, observerToken)) return "operator";
    return allReadRecords && checks.isGood(token) ? "reader" : "user";
  }

  return {
    identity: baseUrl,
    store: null,
    records: separate?.records ?? null,
    embeddedToken: null,
    searchAnswers: answers.get,
    backendFor,
    tokens: separate?.tokens ?? null,
    async findHolder(token, caller, { signal, purpose = "sign-in" } = {}) {
      if (isDocketToken(token)) return await holderOfDocketToken(token);
      if (!isTokenText(token)) return null;
      // Its own answer says whether the service accepts the token; the other operation may fail.
      if (purpose === "operation") return { name: null, role: "user", serviceToken: token };
      const isOwn = roleWith(token) === "operator";
      const timeouts = purpose === "session" || isOwn ? "check" : caller.timeouts;
      const { fileSets, reportSchedules } = serviceFor(token, { ...caller, timeouts });
      const ask = async (scheduleId: number | null) => {
        const options = { limit: 1, signal };
        if (scheduleId === null) await fileSets.search({}, options);
        else await reportSchedules.history(scheduleId, options);
      };
      const isAccepted = await checks.isAccepted(token, ask, purpose).catch((error) => {
        // The observer's own token opens what it has read, also while the service does not answer.
        if (isOwn && isUnanswered(error) && !signal?.aborted) return true;
        throw error;
      });
      return isAccepted ? { name: null, role: roleWith(token), serviceToken: token } : null;
    },
    reach: (signal) => reachUpstream(baseUrl, signal),
    async open() {
      // Whoever set a token expects that schedules are watched.
      if (observerToken !== null) await separate?.open();
    },
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
export async function boundedFetch(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.ok || !response.body) return response;
  let bytes = 0;
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      // Not a network error, because the client would then retry.
      if (bytes > MAX_ANSWER_BYTES) throw new ShapeError("", TOO_LONG);
      // A copy: each chunk from the network would keep a whole block of memory.
      controller.enqueue(chunk.slice());
    },
  });
  return new Response(response.body.pipeThrough(bounded), response);
}

function isHttpError(error: unknown): error is HttpStatusError {
  return isDocketError(error) && error.kind === "http";
}

const CHECKED_MS = 5 * MINUTE;
/** A service that does not answer is asked again after this. */
const AGAIN_MS = MINUTE / 2;
const MAX_TOKENS = 10_000;

/** Times are milliseconds since 1970. */
interface Accepted {
  /** When to ask again. */
  readonly until: number;
  /** When the service last answered a call with the token. */
  readonly goodAt: number;
  /** The schedule whose history it answered; null for file sets. */
  readonly scheduleId: number | null;
}

function createTokenChecks(now: () => number) {
  const accepted = new LRUCache<string, Accepted>({ max: MAX_TOKENS });
  const goodAt = (key: string) => accepted.get(key)?.goodAt ?? -Infinity;

  return {
    /** Makes a call with a token, and remembers what the answer says about the token. */
    async watch<Answer>(
      token: string,
      scheduleId: number | null,
      call: PromiseLike<Answer>,
    ): Promise<Answer> {
      try {
        const answer = await call;
        accepted.set(hashToken(token), { until: now() + CHECKED_MS, goodAt: now(), scheduleId });
        return answer;
      } catch (error) {
        if (errorStatus(error) === 401) accepted.delete(hashToken(token));
        throw error;
      }
    },
    /** Whether the service answered a call with the token in the last five minutes. */
    isGood: (token: string): boolean => goodAt(hashToken(token)) > now() - CHECKED_MS,
    /**
     * Whether the service accepts a token, by a call of the operation that it answered last. It also
     * accepts a token if it only says that this one may not read file sets, or that there are none.
     *
     * @throws If the service does not say, but for a session, whose token it accepted before
     */
    async isAccepted(
      token: string,
      call: (scheduleId: number | null) => Promise<unknown>,
      purpose: Purpose,
    ): Promise<boolean> {
      const key = hashToken(token);
      const { until = 0, scheduleId = null } = accepted.get(key) ?? {};
      if (purpose !== "sign-in" && now() < until) return true;
      const keep = (ms: number) =>
        accepted.set(key, { until: now() + ms, goodAt: goodAt(key), scheduleId: null });
      try {
        await call(scheduleId);
      } catch (error) {
        const status = errorStatus(error);
        if (status === 401) return false;
        const mayNotRead = status === 403 || status === 404;
        if (mayNotRead && scheduleId !== null) {
          // The schedule may be gone, or taken away: what does the service say of file sets?
          keep(0);
          return await this.isAccepted(token, call, purpose);
        }
        if (!mayNotRead && purpose !== "session") throw error;
        keep(mayNotRead ? CHECKED_MS : AGAIN_MS);
      }
      return true;
    },
  };
}
