/**
 * Everything that can go wrong, one class each, distinguished by `kind`.
 *
 * Two copies of this module may meet in one program (a page and a bundle of its own), so errors
 * are recognised by a brand and not by `instanceof`: use {@linkcode isDocketError}. No error
 * that a client throws holds its token: each text and each cause has passed the client's redaction.
 */
import { DocketError, type ErrorDetails } from "./docket_error.ts";

/** An argument or a setting can't be used. Nothing was sent. */
export class ConfigurationError extends DocketError {
  /** Tells this error from all others. */
  override readonly kind = "configuration";
  /** Name of the class, whatever a bundler makes of it. */
  override readonly name = "ConfigurationError";
  /** Name of the argument or setting, for example `limit` or `filters[0].value`. */
  declare readonly parameter: string;

  /** Makes the error. */
  constructor(parameter: string, message: string, details?: ErrorDetails) {
    super(message, { ...details, parameter } as ErrorDetails);
  }
}

/** The service could not be reached, or the connection broke. */
export class NetworkError extends DocketError {
  /** Tells this error from all others. */
  override readonly kind = "network";
  /** Name of the class, whatever a bundler makes of it. */
  override readonly name = "NetworkError";
}

/** An attempt or the whole call took too long. */
export class TimeoutError extends DocketError {
  /** Tells this error from all others. */
  override readonly kind = "timeout";
  /** Name of the class, whatever a bundler makes of it. */
  override readonly name = "TimeoutError";
  /** What ran out: the time for one attempt, or the deadline of the call or walk. */
  declare readonly scope: "attempt" | "deadline";
  /** The time that was allowed, in milliseconds. */
  declare readonly limitMs: number;

  /** Makes the error. */
  constructor(scope: "attempt" | "deadline", limitMs: number, message: string) {
    super(message, { scope, limitMs } as ErrorDetails);
  }
}

/** The caller's own signal aborted. Its reason is the `cause`. */
export class AbortError extends DocketError {
  /** Tells this error from all others. */
  override readonly kind = "abort";
  /** Name of the class, whatever a bundler makes of it. */
  override readonly name = "AbortError";
}

/** A problem document (RFC 9457), as far as the service sent one. */
export interface Problem {
  /** Short title of the kind of problem. */
  readonly title?: string;
  /** What went wrong this time. */
  readonly detail?: string;
  /** What the service could not use, one by one. */
  readonly errors: readonly {
    /** JSON pointer into the body, for an issue there. */
    readonly pointer?: string;
    /** Name of the parameter, for an issue there. */
    readonly parameter?: string;
    /** What is wrong, and what is allowed. */
    readonly detail: string;
  }[];
}

/** The service answered with a status other than 2xx. The interface documents no such answer. */
export class HttpStatusError extends DocketError {
  /** Tells this error from all others. */
  override readonly kind = "http";
  /** Name of the class, whatever a bundler makes of it. */
  override readonly name = "HttpStatusError";
  /** HTTP status; 0 for a redirect that the browser hides. */
  declare readonly status: number;
  /** The beginning of the body, 500 characters at most. */
  declare readonly excerpt: string;
  /** The body, 65,536 characters at most, without secrets. Not among what is shown or logged. */
  declare readonly body: string;
  /** The headers under lower-case names, without secrets and cookies; not shown or logged either. */
  declare readonly headers: Readonly<Record<string, string>>;
  /** How long the service asked to wait, in milliseconds. */
  declare readonly retryAfterMs?: number;
  /** The problem document in the body, when it is one. */
  declare readonly problem?: Problem;

  /** Makes the error. */
  constructor(
    status: number,
    message: string,
    details?:
      & ErrorDetails
      & Partial<
        Pick<HttpStatusError, "excerpt" | "body" | "headers" | "retryAfterMs" | "problem">
      >,
  ) {
    const { body = "", headers = {}, ...shown } = details ?? {};
    super(message, { excerpt: "", ...shown, status } as ErrorDetails);
    Object.defineProperty(this, "body", { value: body, writable: true });
    Object.defineProperty(this, "headers", { value: headers, writable: true });
  }
}

/** The service answered 2xx with something that is not what the interface describes. */
export class ShapeError extends DocketError {
  /** Tells this error from all others. */
  override readonly kind = "shape";
  /** Name of the class, whatever a bundler makes of it. */
  override readonly name = "ShapeError";
  /** Where in the answer, for example `fileSets[3].fileCount`; empty for the answer itself. */
  declare readonly path: string;
  /** HTTP status. */
  declare readonly status?: number;
  /** The beginning of the body, when it is not JSON, 500 characters at most. */
  declare readonly excerpt?: string;

  /** Makes the error. */
  constructor(
    path: string,
    message: string,
    details?: ErrorDetails & Partial<Pick<ShapeError, "status" | "excerpt">>,
  ) {
    super(message, { ...details, path } as ErrorDetails);
  }
}

/** A sign that rows changed while a walk was reading them, or that the service is wrong about them. */
export type Drift =
  /** Rows that were read before came again and were dropped. */
  | { readonly kind: "repeated"; readonly offset: number; readonly count: number }
  /** The service's total is another than before. */
  | { readonly kind: "total"; readonly offset: number; readonly from: number; readonly to: number }
  /** With `verify`: the row before the page is not where it was, so rows may be lost. */
  | { readonly kind: "shifted"; readonly offset: number }
  /** The walk ended with fewer rows than the service's total. */
  | {
    readonly kind: "short";
    readonly offset: number;
    readonly expected: number;
    readonly seen: number;
  }
  /**
   * The service is wrong about its own rows: there are more than its total, a page has more than its
   * limit, or starts elsewhere than it says. The walk then ignores that claim.
   */
  | {
    readonly kind: "contradiction";
    readonly offset: number;
    readonly claim: "total" | "limit" | "offset";
    readonly claimed: number;
    readonly seen: number;
  };

/**
 * Rows changed while a walk was reading them, or contradict the service, and the caller asked for an
 * error.
 */
export class DriftError extends DocketError {
  /** Tells this error from all others. */
  override readonly kind = "drift";
  /** Name of the class, whatever a bundler makes of it. */
  override readonly name = "DriftError";
  /** What changed. */
  declare readonly drift: Drift;

  /** Makes the error. */
  constructor(drift: Drift, message: string) {
    super(message, { drift } as ErrorDetails);
  }
}

/** A walk makes no progress: the service repeats itself, or stops before its own total. */
export class StalledError extends DocketError {
  /** Tells this error from all others. */
  override readonly kind = "stalled";
  /** Name of the class, whatever a bundler makes of it. */
  override readonly name = "StalledError";
  /** How many rows the request skipped. */
  declare readonly offset: number;

  /** Makes the error. */
  constructor(offset: number, message: string) {
    super(message, { offset } as ErrorDetails);
  }
}

/** Every error of this library, for a `switch` over `kind`. */
export type AnyDocketError =
  | ConfigurationError
  | NetworkError
  | TimeoutError
  | AbortError
  | HttpStatusError
  | ShapeError
  | DriftError
  | StalledError;

/**
 * Whether a value is an error of this library, from whichever copy of it.
 *
 * @example
 * ```ts
 * import { createClient, isDocketError } from "@docket/docket";
 *
 * const client = createClient({
 *   baseUrl: "https://service.example",
 *   token: "secret",
 *   fetch: () => Promise.resolve(new Response("no", { status: 403 })),
 * });
 * try {
 *   await client.fileSets.search();
 * } catch (error) {
 *   if (!isDocketError(error)) throw error;
 *   if (error.kind === "http") console.assert(error.status === 403);
 * }
 * ```
 */
export function isDocketError(value: unknown): value is AnyDocketError {
  return Object(value)[Symbol.for("docket.error")] === true;
}
