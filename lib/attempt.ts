/**
 * One attempt: one request and its answer, or an error.
 *
 * @module
 */

import { looksCutOff } from "./decode.ts";
import {
  type AnyDocketError,
  ConfigurationError,
  HttpStatusError,
  NetworkError,
  ShapeError,
} from "./errors.ts";
import { readProblem } from "./problem.ts";
import { excerptOf } from "./redact.ts";
import type { RequestPlan } from "./request.ts";
import { isRetryableStatus, parseRetryAfter } from "./retry.ts";
import type { TransportSettings } from "./transport.ts";

/** How much of the body of a bad answer is read, in bytes. */
const LONGEST_ERROR_BODY = 65_536;

/** How many redirects within the service are followed. */
const MOST_REDIRECTS = 5;

/**
 * Whether another attempt may help after an error.
 *
 * @param error What became of the attempt.
 * @returns True for faults of the network, for time that ran out, for some statuses, and for half
 * an answer: a whole one of the wrong shape would only come again.
 */
export function mayRetry(error: AnyDocketError): boolean {
  switch (error.kind) {
    case "network":
      return true;
    case "timeout":
      return error.scope === "attempt";
    case "http":
      return isRetryableStatus(error.status);
    default:
      return error.kind === "shape" && looksCutOff(error.excerpt ?? "");
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
 * @throws {DocketError} When there is none; it has not passed the redaction yet.
 */
export async function attemptOnce<T>(
  plan: RequestPlan,
  read: (text: string) => T,
  settings: TransportSettings,
  signal: AbortSignal,
): Promise<T> {
  const response = await follow(plan, await resolveToken(settings), settings, signal);
  const { status } = response;
  if (response.bodyUsed) {
    const said = "fetch returned a response whose body was read already";
    throw new ConfigurationError("fetch", said);
  }
  if (status < 200 || status > 299) {
    throw await statusError(plan, response, settings, signal);
  }
  let text: string;
  try {
    text = await response.text();
  } catch (cause) {
    throw networkError(plan, "the connection broke while the answer was read", cause);
  }
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const excerpt = error.excerpt && excerptOf(error.excerpt, settings.redactor.redact);
    const requestId = requestIdOf(response);
    throw new ShapeError(error.path, error.message, { excerpt, requestId, status });
  }
}

/** The interface names no such header; these are the usual ones. */
function requestIdOf({ headers }: Response): string | undefined {
  return headers.get("x-request-id") ?? headers.get("request-id") ??
    headers.get("x-correlation-id") ?? undefined;
}

async function resolveToken({ token, redactor }: TransportSettings): Promise<string | null> {
  if (typeof token !== "function") return token;
  let resolved: unknown;
  try {
    resolved = await token();
  } catch (cause) {
    throw new ConfigurationError("token", "The token function failed", { cause });
  }
  if (typeof resolved === "string") redactor.add(resolved);
  const problem = tokenProblem(resolved);
  if (problem) throw new ConfigurationError("token", problem);
  return resolved as string;
}

/**
 * What keeps a value from being a token in a header.
 *
 * @param token The value.
 * @returns A sentence that does not repeat it, or undefined when it can be sent.
 */
export function tokenProblem(token: unknown): string | undefined {
  // A line break in a header's value would begin another header.
  return typeof token === "string" && /^[!-~]([ -~]*[!-~])?$/.test(token)
    ? undefined
    : "token must be printable ASCII text without spaces or line breaks around it, or null";
}

/** Sends the request, and follows redirects as long as they stay with the service. */
async function follow(
  plan: RequestPlan,
  token: string | null,
  { fetch, tokenHeader, headers }: TransportSettings,
  signal: AbortSignal,
): Promise<Response> {
  const init: RequestInit = {
    method: plan.method,
    headers: { ...headers, ...plan.headers, ...(token === null ? {} : { [tokenHeader]: token }) },
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
      throw networkError(plan, "the service could not be reached", cause);
    }
    const next = redirects < MOST_REDIRECTS && redirectTarget(response, url, plan);
    // A fetch that takes no notice of the signal may answer when nobody listens any more.
    if (next || signal.aborted) void response.body?.cancel().catch(() => {});
    if (!next) return response;
    url = next;
  }
}

/** Where a redirect leads, when it keeps the method and the origin. */
function redirectTarget({ status, headers }: Response, url: string, plan: RequestPlan) {
  const keepsMethod = status === 307 || status === 308 ||
    (plan.method === "GET" && status >= 301 && status <= 303);
  const location = keepsMethod ? headers.get("location") : null;
  if (location === null || !URL.canParse(location, url)) return undefined;
  const target = new URL(location, url);
  return target.origin === new URL(url).origin ? target.href : undefined;
}

async function statusError(
  { operation }: RequestPlan,
  response: Response,
  { runtime, redactor: { redact } }: TransportSettings,
  signal: AbortSignal,
): Promise<HttpStatusError> {
  const { status, headers } = response;
  const body = await beginningOf(response, signal);
  const { problem, requestId: problemId } = readProblem(body);
  const why = problem?.detail ?? problem?.title;
  // A browser hides redirects behind the status 0.
  const said = status < 400
    ? "redirected, which was not followed; check baseUrl"
    : `answered with status ${status}${why ? `: ${why}` : ""}`;
  return new HttpStatusError(status, `The request to ${operation} was ${said}`, {
    excerpt: excerptOf(body, redact),
    problem,
    retryAfterMs: parseRetryAfter(headers.get("retry-after"), runtime.now()),
    requestId: requestIdOf(response) ?? problemId,
  });
}

/** Reads the beginning of a body and cancels the rest; a body that breaks off is no new failure. */
async function beginningOf({ body }: Response, signal: AbortSignal): Promise<string> {
  const reader = body?.getReader();
  const stop = () => void reader?.cancel().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let bytes = 0; reader && bytes < LONGEST_ERROR_BODY;) {
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

function networkError({ operation }: RequestPlan, reason: string, cause: unknown): NetworkError {
  return new NetworkError(`The request to ${operation} failed: ${reason}`, { cause });
}
