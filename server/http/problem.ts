/**
 * Problem documents (RFC 9457): what every refused or failed request is answered with.
 *
 * @module
 */

import {
  type AnyDocketError,
  type ConfigurationError,
  type HttpStatusError,
  isDocketError,
  type ProblemFault,
} from "../../lib/errors.ts";
import { repeatable } from "./upstream_words.ts";

/** One thing that is wrong with a request: where, and what is allowed. */
export type Fault =
  & { readonly detail: string }
  & (
    | { readonly pointer: string; readonly parameter?: never }
    | { readonly parameter: string; readonly pointer?: never }
  );

/** The body of an `application/problem+json` answer. */
export interface Problem {
  /** Names the kind of problem; the same kind always has the same title. */
  readonly type: string;
  /** The kind of problem in a few words. */
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** What happened this time. */
  readonly detail: string;
  /** Every fault that was found, where there are several places to mend. */
  readonly errors: readonly Fault[];
  /** Seconds after which another attempt makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
}

const TITLES: Record<number, readonly [name: string, title: string]> = {
  400: ["bad-request", "The request is not valid"],
  401: ["unauthorized", "A developer token is needed"],
  403: ["forbidden", "That is not allowed"],
  404: ["not-found", "There is nothing here"],
  405: ["method-not-allowed", "The method is not allowed here"],
  408: ["request-timeout", "The request took too long to arrive"],
  409: ["conflict", "The request conflicts with another"],
  413: ["content-too-large", "The request body is too large"],
  415: ["unsupported-media-type", "The request body has another type"],
  429: ["too-many-requests", "Too many requests"],
  500: ["internal", "Something went wrong"],
  502: ["bad-gateway", "The upstream service failed"],
  503: ["unavailable", "The service is not available"],
  504: ["gateway-timeout", "The upstream service took too long"],
};

// A symbol of the registry: two bundles of this module run side by side, so instanceof would lie.
const BRAND = Symbol.for("docket.ProblemError");

/** Thrown where a request cannot be answered; carries the problem document. */
export class ProblemError extends Error {
  /** The problem document. */
  readonly problem: Problem;

  /** Throws `detail` with that HTTP status. */
  constructor(
    status: number,
    detail: string,
    options: { errors?: readonly Fault[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(detail, { cause: options.cause });
    this.name = "ProblemError";
    this.problem = describe(status, detail, options.errors, options.retryAfterSeconds);
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Whether a thrown value is a {@linkcode ProblemError}, also one of another bundle. */
export function isProblemError(value: unknown): value is ProblemError {
  return typeof value === "object" && value !== null && BRAND in value;
}

/** Throws one 400 that names every fault, when there is any. */
export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const detail = faults.length === 1
    ? `${placeOf(faults[0])} ${faults[0].detail}`.trim()
    : `${faults.length} things in the request are not valid; "errors" names each`;
  throw new ProblemError(400, detail, { errors: faults });
}

/** The problem document for anything thrown. Unexpected errors reveal nothing of themselves. */
export function problemOf(error: unknown): Problem {
  if (isProblemError(error)) return error.problem;
  return isDocketError(error) ? upstreamProblem(error) : describe(500, UNEXPECTED);
}

/** The HTTP answer for a problem. */
export function problemResponse(problem: Problem, requestId?: string): Response {
  const { type, title, status, detail, errors, retryAfterSeconds } = problem;
  const headers = new Headers({ "content-type": "application/problem+json" });
  if (retryAfterSeconds !== undefined) headers.set("retry-after", String(retryAfterSeconds));
  const body = { type, title, status, detail, requestId, errors };
  return new Response(JSON.stringify(body), { status, headers });
}

const UNEXPECTED = "The server could not answer this request";
const PASSED_ON = new Set([400, 401, 403, 404, 409, 429]);

/** What an upstream's error says to who asked. */
function upstreamProblem(error: AnyDocketError): Problem {
  switch (error.kind) {
    case "http": {
      const { status, problem, excerpt } = error;
      const said = repeatable(problem?.detail ?? excerpt ?? "");
      const detail = `The upstream service answered with status ${status}${said && `: ${said}`}`;
      const faults = (problem?.errors ?? []).flatMap(faultOf);
      return describe(PASSED_ON.has(status) ? status : 502, detail, faults, secondsOf(error));
    }
    case "configuration":
      return argumentProblem(error);
    case "network":
      return describe(502, "The upstream service could not be reached");
    case "shape":
    case "stalled":
    case "drift":
      return describe(
        502,
        `The upstream service answered in another shape: ${repeatable(error.message)}`,
      );
    case "timeout":
      return describe(504, "The upstream service did not answer in time");
    case "abort":
      return describe(503, "The request was cancelled before the upstream service answered");
    default:
      return describe(500, UNEXPECTED);
  }
}

/**
 * Of what comes from outside the client itself refuses a token that no header can carry, and
 * conditions without a field, which are let through to it because the interface does not forbid them.
 */
function argumentProblem({ parameter, message }: ConfigurationError): Problem {
  if (parameter === "token") {
    return describe(401, "The developer token can't be sent to the upstream service");
  }
  if (!/^(fieldSort|filters|dateFilters)\[/.test(parameter)) return describe(500, UNEXPECTED);
  const pointer = `/${parameter.replace(/\[(\d+)\]/g, "/$1").replaceAll(".", "/")}`;
  const detail = message.slice(parameter.length + 1);
  return describe(400, `${pointer} ${detail}`, [{ pointer, detail }]);
}

function faultOf({ pointer, parameter, detail: said }: ProblemFault): Fault[] {
  const detail = repeatable(said);
  if (parameter !== undefined) return [{ parameter: repeatable(parameter), detail }];
  return pointer === undefined ? [] : [{ pointer: repeatable(pointer), detail }];
}

function secondsOf(error: HttpStatusError): number | undefined {
  const ms = error.retryAfterMs;
  return typeof ms === "number" && ms >= 0 ? Math.ceil(ms / 1000) : undefined;
}

function describe(
  status: number,
  detail: string,
  errors: readonly Fault[] = [],
  retryAfterSeconds?: number,
): Problem {
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

function placeOf(fault: Fault): string {
  return fault.parameter ?? fault.pointer ?? "";
}
