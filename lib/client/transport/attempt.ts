/** One attempt: one request and its answer, or an error. */
import { check, checkToken } from "../../check.ts";
import { looksCutOff } from "../decode.ts";
import {
  type AnyDocketError,
  ConfigurationError,
  HttpStatusError,
  isDocketError,
  NetworkError,
  type ShapeError,
} from "../../errors.ts";
import type { SentRequest } from "./request.ts";
import { isRetryableStatus, parseRetryAfter } from "./retry.ts";
import { describeRootCause } from "./root_cause.ts";
import type { ClientSettings } from "./settings.ts";

const LONGEST_ERROR_BODY = 65_536;

/** Whether another attempt may help. A whole answer of the wrong shape would only be repeated. */
export function mayRetry(error: AnyDocketError): boolean {
  return error.kind === "network" ||
    (error.kind === "timeout" && error.scope === "attempt") ||
    (error.kind === "http" && isRetryableStatus(error.status)) ||
    (error.kind === "shape" && looksCutOff(error.excerpt ?? ""));
}

/** What an attempt has reached so far, even if it is interrupted. */
export interface AttemptState {
  token?: string | null;
  response?: Response;
  /** The error for a bad status, without the body, which may stall. */
  badStatus?: HttpStatusError;
}

/**
 * Sends the request once, reads its answer, and records its progress in `state`. `rejected` is the
 * token that the service has just rejected. Errors are not redacted yet.
 */
export async function attemptOnce<T>(
  request: SentRequest,
  read: (text: string) => T,
  settings: ClientSettings,
  signal: AbortSignal,
  state: AttemptState,
  rejected: string | undefined,
): Promise<T> {
  state.token = await resolveToken(settings, rejected);
  const response = state.response = await sendOnce(request, state.token, settings, signal);
  const { status } = response;
  check(!response.bodyUsed, "fetch", "a function whose responses are unread");
  if (!response.ok) {
    const errorWith = (body: string) =>
      statusError(request, response, body, settings.runtime.now());
    state.badStatus = errorWith("");
    throw errorWith(await readBeginning(response, signal));
  }
  const failure = "the connection broke while the answer was read";
  const text = await asNetworkError(failure, () => response.text());
  try {
    return read(text);
  } catch (error) {
    throw Object.assign(error as ShapeError, { status, ...readRequestId(response) });
  }
}

/** The headers of an answer, under lower-case names, without cookies, which are secrets. */
export function shownHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name !== "set-cookie"));
}

/** Reads the usual headers of a request id; the interface documents none. */
function readRequestId({ headers }: Response): { readonly requestId?: string } {
  const requestId = headers.get("x-request-id") ?? headers.get("request-id") ??
    headers.get("x-correlation-id");
  return requestId ? { requestId } : {};
}

async function resolveToken(
  { token, redactor }: ClientSettings,
  rejected: string | undefined,
): Promise<string | null> {
  if (typeof token !== "function") return token;
  let resolved: string;
  try {
    resolved = await token(rejected);
  } catch (cause) {
    throw new ConfigurationError("token", "the token function failed", { cause });
  }
  checkToken(resolved);
  redactor.add(resolved);
  return resolved;
}

/** Sends the request once; a redirect counts as an answer. */
async function sendOnce(
  { method, url, body, headers }: SentRequest,
  token: string | null,
  { fetch, tokenHeader, headers: extraHeaders }: ClientSettings,
  signal: AbortSignal,
): Promise<Response> {
  const response = await asNetworkError("the service could not be reached", () =>
    fetch(url, {
      method,
      headers: { ...extraHeaders, ...headers, ...(token !== null && { [tokenHeader]: token }) },
      // To follow a redirect would send the token to its target, and request each page twice.
      redirect: "manual",
      signal,
      body,
    }));
  // A `fetch` that ignores the signal may answer when the call has already failed.
  if (signal.aborted) void response.body?.cancel().catch(() => {});
  return response;
}

function statusError(
  { url }: SentRequest,
  response: Response,
  body: string,
  now: number,
): HttpStatusError {
  const { status, headers } = response;
  const { problem, requestId } = readProblem(body);
  const cause = problem?.detail ?? problem?.title;
  // A browser reports a redirect as the status 0, and hides its target.
  const location = headers.get("location");
  const target = location && URL.canParse(location, url) && new URL(location, url);
  // The rest of the URL may contain secrets.
  const where = target ? ` to ${target.origin}${target.pathname}` : "";
  const message = status < 400
    ? `it was redirected${where}; check baseUrl`
    : `status ${status}${cause ? `: ${cause}` : ""}`;
  // The service's clock may differ from ours.
  const serviceNow = Date.parse(headers.get("date") ?? "");
  return new HttpStatusError(status, message, {
    body,
    excerpt: body,
    headers: shownHeaders(headers),
    problem,
    retryAfterMs: parseRetryAfter(headers.get("retry-after"), serviceNow || now),
    requestId,
    ...readRequestId(response),
  });
}

/** Reads the beginning of a body and cancels the rest; ignores a broken connection. */
async function readBeginning({ body }: Response, signal: AbortSignal): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream(), { signal }).getReader();
  let text = "";
  try {
    while (reader && text.length < LONGEST_ERROR_BODY) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
    }
  } catch {
    // The text up to here is still worth showing.
  }
  void reader?.cancel().catch(() => {});
  return text.slice(0, LONGEST_ERROR_BODY);
}

/** Turns an error of `work` into a `NetworkError`, unless it is one of this library. */
async function asNetworkError<T>(failure: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (isDocketError(cause)) throw cause;
    const rootCause = describeRootCause(cause);
    throw new NetworkError(rootCause ? `${failure}: ${rootCause}` : failure, { cause });
  }
}

type Problem = NonNullable<HttpStatusError["problem"]>;

/** Reads a problem document (RFC 9457) leniently: members of other types are left out. */
function readProblem(
  text: string,
): { readonly problem?: Problem; readonly requestId?: string } {
  try {
    const body = JSON.parse(text);
    const errors = [body.errors].flat()
      .map((issue) => pick(issue, "pointer", "parameter", "detail"))
      .filter((issue): issue is Problem["errors"][number] => Boolean(issue.detail));
    const problem: Problem = { ...pick(body, "title", "detail"), errors };
    const isProblem = problem.title ?? problem.detail ?? errors[0];
    return isProblem === undefined ? {} : { problem, ...pick(body, "requestId") };
  } catch {
    return {};
  }
}

function pick<Name extends string>(
  value: unknown,
  ...names: readonly Name[]
): Partial<Record<Name, string>> {
  const object = Object(value);
  const entries = names.map((name) => [name, object[name]]);
  return Object.fromEntries(entries.filter(([, text]) => typeof text === "string"));
}
