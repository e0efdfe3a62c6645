/** Problems (RFC 9457): the response to a request that is invalid or failed. */
import {
  type AnyDocketError,
  type ConfigurationError,
  type HttpStatusError,
  isDocketError,
} from "../../lib/errors.ts";
import { isWebPage } from "../../lib/setting_hint.ts";
import { maskAddresses } from "../../lib/runs/recipients.ts";
import { shorten } from "../../lib/format.ts";

export type ValidationIssue =
  & { readonly detail: string }
  & (
    | { readonly pointer: string; readonly parameter?: never }
    | { readonly parameter: string; readonly pointer?: never }
  );

export interface ProblemDetails {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** Every validation issue; empty if the problem is not the input. */
  readonly errors: readonly ValidationIssue[];
  /** Seconds to wait before another attempt; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Headers that HTTP requires with this status. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The kinds of problems by status: the name in `type`, and the title. */
export const TITLES: Record<number, readonly [name: string, title: string]> = {
  400: ["bad-request", "The request is not valid"],
  401: ["unauthorized", "A developer token is needed"],
  403: ["forbidden", "That is not allowed"],
  404: ["not-found", "Not found"],
  405: ["method-not-allowed", "The method is not allowed here"],
  408: ["request-timeout", "The request took too long to arrive"],
  409: ["conflict", "That is not possible now"],
  413: ["content-too-large", "The request body is too large"],
  414: ["uri-too-long", "The link is too long"],
  415: ["unsupported-media-type", "The request body has an unsupported type"],
  421: ["misdirected-request", "The request is for another server"],
  429: ["too-many-requests", "Too many requests"],
  500: ["internal", "Something went wrong"],
  502: ["bad-gateway", "The upstream service failed"],
  503: ["unavailable", "The service is not available"],
  504: ["gateway-timeout", "The upstream service took too long"],
};

// A registered symbol: the build bundles this module twice, so instanceof would miss the other class.
const BRAND = Symbol.for("docket.ProblemError");

/** Thrown when a request can't be answered; `problem` is the response. */
export class ProblemError extends Error {
  readonly problem: ProblemDetails;

  constructor(
    status: number,
    detail: string,
    { cause, headers, errors, retryAfterSeconds }:
      & Partial<Pick<ProblemDetails, "errors" | "headers" | "retryAfterSeconds">>
      & { readonly cause?: unknown } = {},
  ) {
    super(detail, { cause });
    this.name = "ProblemError";
    const problem = describe(status, detail, errors, retryAfterSeconds);
    this.problem = headers ? { ...problem, headers } : problem;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Whether a thrown value is a {@linkcode ProblemError}, of either bundle. */
export function isProblemError(value: unknown): value is ProblemError {
  return typeof value === "object" && value !== null && BRAND in value;
}

export function invalidRequest(issues: readonly ValidationIssue[]): ProblemError {
  const [{ parameter, pointer, detail }] = issues;
  const summary = issues.length === 1
    ? `${parameter ?? pointer} ${detail}`.trim()
    : `${issues.length} things in the request are not valid; "errors" lists each`;
  return new ProblemError(400, summary, { errors: issues });
}

export function throwIfInvalid(issues: readonly ValidationIssue[]): void {
  if (issues.length > 0) throw invalidRequest(issues);
}

/** The problem for anything thrown. An unexpected error reveals nothing about itself. */
export function toProblem(error: unknown): ProblemDetails {
  if (isProblemError(error)) return error.problem;
  return isDocketError(error) ? upstreamProblem(error) : describe(500, UNEXPECTED);
}

const UNEXPECTED = "The server could not answer this request";
const FORWARDED_STATUSES = new Set([400, 401, 403, 404, 409, 429]);

function upstreamProblem(error: AnyDocketError): ProblemDetails {
  switch (error.kind) {
    case "http": {
      const { status, problem, excerpt, retryAfterMs } = error;
      const said = problem?.detail ?? excerpt ?? "";
      const text = isWebPage(said) ? "" : safeUpstreamText(said);
      const detail = `The upstream service answered with status ${status}${text && `: ${text}`}`;
      const issues = (problem?.errors ?? []).flatMap(toIssues);
      const seconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000);
      const forwarded = FORWARDED_STATUSES.has(status) ? status : 502;
      return describe(forwarded, detail, issues, seconds);
    }
    case "configuration":
      return configurationProblem(error);
    case "network":
      return describe(502, "The upstream service could not be reached");
    case "timeout":
      return describe(504, "The upstream service did not answer in time");
    case "abort":
      return describe(503, "The request was cancelled before the upstream service answered");
    case "shape":
    case "stalled":
    case "drift":
      return describe(
        502,
        `The upstream service sent an unexpected answer: ${safeUpstreamText(error.message)}`,
      );
    default:
      return describe(500, UNEXPECTED);
  }
}

/** The client itself rejects a condition without a field, which the interface does not forbid. */
function configurationProblem({ parameter, message }: ConfigurationError): ProblemDetails {
  if (!/^(fieldSort|filters|dateFilters)\[/.test(parameter)) return describe(500, UNEXPECTED);
  const pointer = `/${parameter.replace(/\[(\d+)\]/g, "/$1").replaceAll(".", "/")}`;
  const detail = message.slice(parameter.length + 1);
  return describe(400, `${pointer} ${detail}`, [{ pointer, detail }]);
}

function toIssues(
  { pointer, parameter, detail: text }: NonNullable<HttpStatusError["problem"]>["errors"][number],
): ValidationIssue[] {
  const detail = safeUpstreamText(text);
  if (parameter !== undefined) return [{ parameter: safeUpstreamText(parameter), detail }];
  return pointer === undefined ? [] : [{ pointer: safeUpstreamText(pointer), detail }];
}

function describe(
  status: number,
  detail: string,
  errors: readonly ValidationIssue[] = [],
  retryAfterSeconds?: number,
): ProblemDetails {
  const [name, title] = TITLES[status] ?? TITLES[500];
  return {
    type: `urn:docket:problem:${name}`,
    title,
    status,
    detail,
    errors,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

export function problemResponse(problem: ProblemDetails, requestId?: string): Response {
  const { type, title, status, detail, errors } = problem;
  const headers = { "content-type": "application/problem+json", ...problemHeaders(problem) };
  const body = { type, title, status, detail, requestId, errors };
  return new Response(JSON.stringify(body), { status, headers });
}

/** The problem document for the API, and a line of text for everybody else. */
export function problemResponseFor(
  request: Request,
  problem: ProblemDetails,
  requestId: string,
): Response {
  if (URL.parse(request.url)?.pathname.startsWith("/api/")) {
    return problemResponse(problem, requestId);
  }
  const headers = { "content-type": "text/plain; charset=utf-8", ...problemHeaders(problem) };
  return new Response(problem.detail, { status: problem.status, headers });
}

/** A request with such a target or Host header was not sent by a browser. */
export const INVALID_HOST: ProblemDetails =
  new ProblemError(400, "The request is not for an http or https address").problem;

/** The headers of a response with this problem, whatever its format. */
export function problemHeaders(
  { headers, retryAfterSeconds }: Pick<ProblemDetails, "headers" | "retryAfterSeconds">,
): Readonly<Record<string, string>> {
  if (retryAfterSeconds === undefined) return headers ?? {};
  return { ...headers, "retry-after": String(retryAfterSeconds) };
}

/** An upstream may send pages of text. */
const MAX_CHARACTERS = 500;

/** Text of an upstream that may be shown: with email addresses masked, and shortened. */
export function safeUpstreamText(text: string): string {
  // Masked before it is cut: half an address would not be recognized.
  return shorten(maskAddresses(text), MAX_CHARACTERS);
}
