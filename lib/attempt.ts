/**
 * One attempt: one request and its answer, or a {@linkcode Failure} that says whether another
 * attempt may help.
 *
 * @module
 */

import { looksCutOff } from "./decode.ts";
import {
  ConfigurationError,
  type DocketError,
  type ErrorDetails,
  HttpStatusError,
  isDocketError,
  NetworkError,
  type Problem,
  type ProblemFault,
  ShapeError,
} from "./errors.ts";
import type { RequestPlan } from "./request.ts";
import { isRetryableStatus, parseRetryAfter } from "./retry.ts";
import type { Token, TransportSettings } from "./transport.ts";

/** How much of the body of a bad answer is read, in bytes. */
const LONGEST_ERROR_BODY = 65_536;

/** How many redirects within the service are followed. */
const MOST_REDIRECTS = 5;

/** What is known about a failed attempt. */
export interface FailureDetails {
  /** HTTP status, when there was an answer. */
  readonly status?: number;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** Whether another attempt may help. */
  readonly retry: boolean;
  /** Makes the error for the caller; `tail` belongs at the end of its message. */
  readonly error: (tail: string, details: ErrorDetails) => DocketError;
}

/** A failed attempt. Never leaves the library: {@linkcode FailureDetails.error} does. */
export class Failure {
  readonly reason: string;
  declare readonly status?: number;
  declare readonly retryAfterMs?: number;
  readonly retry: boolean;
  readonly error: (tail: string, details: ErrorDetails) => DocketError;

  /**
   * @param reason Why it failed, as half a sentence.
   * @param details What else is known.
   */
  constructor(reason: string, details: FailureDetails) {
    this.reason = reason;
    if (details.status !== undefined) this.status = details.status;
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
    this.retry = details.retry;
    this.error = details.error;
  }
}

/**
 * Sends the request once and reads the whole answer.
 *
 * @param plan The request.
 * @param read Turns the body's text into the result; throws a `ShapeError` when it can't.
 * @param settings What stays the same for all requests.
 * @param signal Aborts when the attempt is over.
 * @returns The result of `read`.
 * @throws {Failure} When there is none.
 */
export async function attemptOnce<T>(
  plan: RequestPlan,
  read: (text: string) => T,
  settings: TransportSettings,
  signal: AbortSignal,
): Promise<T> {
  const token = await resolveToken(settings);
  const response = await follow(plan, token, settings, signal);
  const { status } = response;
  if (response.bodyUsed) {
    throw configurationFailure("fetch returned a response whose body was read already");
  }
  if (status < 200 || status > 299) throw await statusFailure(plan, response, settings, signal);
  let text: string;
  try {
    text = await response.text();
  } catch (cause) {
    throw networkFailure(plan, "the connection broke while the answer was read", cause, status);
  }
  try {
    return read(text);
  } catch (thrown) {
    if (!isDocketError(thrown) || thrown.kind !== "shape") throw thrown;
    const { path, message, excerpt } = thrown;
    const requestId = requestIdOf(response);
    throw new Failure(message, {
      status,
      // Half an answer is the network's fault; a whole one would only come again.
      retry: excerpt !== undefined && looksCutOff(excerpt),
      error: (tail, details) =>
        new ShapeError(path, message + tail, {
          ...details,
          ...(excerpt === undefined ? {} : { excerpt }),
          ...(requestId === undefined ? {} : { requestId }),
        }),
    });
  }
}

async function resolveToken(settings: TransportSettings): Promise<string | null> {
  let token: Token = settings.token;
  if (typeof token === "function") {
    try {
      token = await token();
    } catch (cause) {
      throw configurationFailure("The token function failed", cause);
    }
    if (typeof token !== "string") {
      throw configurationFailure("The token function must return a string");
    }
  }
  if (token !== null) {
    settings.redactor.add(token);
    const problem = tokenProblem(token);
    if (problem !== undefined) throw configurationFailure(problem);
  }
  return token;
}

/**
 * What keeps a text from being a token in a header.
 *
 * @param token The text.
 * @returns A sentence that does not repeat it, or undefined when it can be sent.
 */
export function tokenProblem(token: string): string | undefined {
  if (token === "") return "token must not be empty; give null to send none";
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(token)
    ? undefined
    : "token must consist of printable ASCII characters, without spaces or line breaks around it";
}

/** Sends the request, and follows redirects as long as they stay with the service. */
async function follow(
  plan: RequestPlan,
  token: string | null,
  settings: TransportSettings,
  signal: AbortSignal,
): Promise<Response> {
  const { fetch, tokenHeader, headers } = settings;
  const init: RequestInit = {
    method: plan.method,
    headers: {
      ...headers,
      ...plan.headers,
      ...(token === null ? {} : { [tokenHeader]: token }),
    },
    // Only so can the token be kept from another origin: fetch itself would take it there.
    redirect: "manual",
    signal,
    ...(plan.body === undefined ? {} : { body: plan.body }),
  };
  let url = plan.url;
  for (let redirects = 0;; redirects++) {
    let response: Response;
    try {
      response = await fetch(url, init);
    } catch (cause) {
      throw networkFailure(plan, "the service could not be reached", cause);
    }
    // A fetch that takes no notice of the signal may answer when nobody listens any more.
    if (signal.aborted) void discard(response);
    const next = redirects < MOST_REDIRECTS ? redirectTarget(response, url, plan) : undefined;
    if (next === undefined) return response;
    void discard(response);
    url = next;
  }
}

/** Where a redirect leads, when it keeps the method and the origin. */
function redirectTarget(response: Response, url: string, plan: RequestPlan): string | undefined {
  const keepsMethod = response.status === 307 || response.status === 308 ||
    (plan.method === "GET" && [301, 302, 303].includes(response.status));
  const location = response.headers.get("location");
  if (!keepsMethod || location === null || !URL.canParse(location, url)) return undefined;
  const target = new URL(location, url);
  return target.origin === new URL(url).origin ? target.href : undefined;
}

async function statusFailure(
  plan: RequestPlan,
  response: Response,
  { runtime }: TransportSettings,
  signal: AbortSignal,
): Promise<Failure> {
  const { status } = response;
  const hidden = response.type === "opaqueredirect";
  const excerpt = hidden ? "" : await beginningOf(response, signal);
  const problem = readProblem(excerpt);
  const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), runtime.now());
  const requestId = requestIdOf(response) ?? problem?.requestId;
  const said = hidden || (status >= 300 && status <= 399)
    ? `The request to ${plan.operation} was redirected, and the redirect was not followed; ` +
      `check baseUrl`
    : `The request to ${plan.operation} was answered with status ${status}`;
  const why = problem?.detail ?? problem?.title;
  return new Failure(hidden ? "redirected" : `status ${status}`, {
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    retry: isRetryableStatus(status),
    error: (tail, details) =>
      new HttpStatusError(status, said + tail + (why ? `: ${why}` : ""), {
        ...details,
        excerpt,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
        ...(requestId === undefined ? {} : { requestId }),
        ...(problem === undefined ? {} : { problem: problem.problem }),
      }),
  });
}

/** Reads the beginning of a body and cancels the rest; a body that breaks off is no new failure. */
async function beginningOf(response: Response, signal: AbortSignal): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return "";
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let bytes = 0; bytes < LONGEST_ERROR_BODY;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // What came before the break is still worth showing.
  }
  signal.removeEventListener("abort", stop);
  stop();
  return text;
}

async function discard(response: Response): Promise<void> {
  try {
    await response.body?.cancel();
  } catch {
    // Nothing was left to cancel.
  }
}

/** The problem document in a body, read leniently, or undefined when there is none. */
function readProblem(
  text: string,
): { problem: Problem; title?: string; detail?: string; requestId?: string } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { title, detail, errors, requestId } = value as Record<string, unknown>;
  const texts = {
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof detail === "string" ? { detail } : {}),
  };
  const faults = Array.isArray(errors) ? errors.flatMap(readFault) : [];
  if (Object.keys(texts).length === 0 && faults.length === 0) return undefined;
  return {
    problem: { ...texts, errors: faults },
    ...texts,
    ...(typeof requestId === "string" ? { requestId } : {}),
  };
}

function readFault(value: unknown): ProblemFault[] {
  if (typeof value !== "object" || value === null) return [];
  const { pointer, parameter, detail } = value as Record<string, unknown>;
  if (typeof detail !== "string") return [];
  return [{
    ...(typeof pointer === "string" ? { pointer } : {}),
    ...(typeof parameter === "string" ? { parameter } : {}),
    detail,
  }];
}

/** The interface names no such header; these are the usual ones. */
function requestIdOf({ headers }: Response): string | undefined {
  return headers.get("x-request-id") ?? headers.get("request-id") ??
    headers.get("x-correlation-id") ?? undefined;
}

function networkFailure(
  plan: RequestPlan,
  reason: string,
  cause: unknown,
  status?: number,
): Failure {
  return new Failure(reason, {
    ...(status === undefined ? {} : { status }),
    retry: true,
    error: (tail, details) =>
      new NetworkError(`The request to ${plan.operation} failed: ${reason}${tail}`, {
        ...details,
        cause,
      }),
  });
}

function configurationFailure(message: string, cause?: unknown): Failure {
  const parameter = message.startsWith("fetch") ? "fetch" : "token";
  return new Failure(message, {
    retry: false,
    error: (_tail, details) =>
      new ConfigurationError(parameter, message, {
        ...details,
        ...(cause === undefined ? {} : { cause }),
      }),
  });
}
