/**
 * The errors of this library: one class for each `kind`.
 *
 * A program may load two copies of this module, so errors are recognised by a brand and not by
 * `instanceof`: use {@linkcode isDocketError}. No error of a client contains its token, because
 * every text and every cause has been redacted.
 */

/** The base class of all errors of this library. */
export abstract class DocketError extends Error {
  /** Which error this is. */
  abstract readonly kind: string;
  /** The attempts, oldest first; empty if nothing was sent. */
  readonly attempts: readonly {
    /** HTTP status, if there was an answer. */
    readonly status?: number;
    /** How long the attempt took, in milliseconds. */
    readonly ms: number;
    /** How long the client waited before the next attempt, in milliseconds; 0 for the last. */
    readonly waitedMs: number;
    /** Why it failed. */
    readonly reason: string;
  }[];
  /** Method and URL of the request, if there was one. */
  declare readonly request?: string;
  /** The request id in the service's answer, if there was one. */
  declare readonly requestId?: string;

  /** Makes the error; the message is a sentence without a full stop. */
  constructor(message: string, { cause, attempts = [], ...details }: Partial<DocketError> = {}) {
    super(message, cause === undefined ? undefined : { cause });
    // Set here, because bundlers can't leave out an unused class that does this in its body.
    Object.defineProperty(this, Symbol.for("docket.error"), { value: true });
    for (const [name, value] of Object.entries(details)) {
      if (value !== undefined) (this as Record<string, unknown>)[name] = value;
    }
    this.attempts = [...attempts];
  }

  /** The error as plain data, for a log: its message, its cause's message and its own fields. */
  toJSON(): Record<string, unknown> {
    const cause = this.cause instanceof Error ? String(this.cause) : this.cause;
    return { ...this as object, message: this.message, cause };
  }
}

/** An argument or a setting is not valid. Nothing was sent. */
export class ConfigurationError extends DocketError {
  /** Distinguishes this error from all others. */
  override readonly kind = "configuration";
  /** Name of the class, even if a bundler renames it. */
  override readonly name = "ConfigurationError";
  /** Name of the argument or setting, for example `limit` or `filters[0].value`. */
  declare readonly parameter: string;

  /** Makes the error. */
  constructor(parameter: string, message: string, details?: Partial<DocketError>) {
    super(message, { ...details, parameter } as Partial<DocketError>);
  }
}

/** The service could not be reached, or the connection broke. */
export class NetworkError extends DocketError {
  /** Distinguishes this error from all others. */
  override readonly kind = "network";
  /** Name of the class, even if a bundler renames it. */
  override readonly name = "NetworkError";
}

/** An attempt or the whole call took too long. */
export class TimeoutError extends DocketError {
  /** Distinguishes this error from all others. */
  override readonly kind = "timeout";
  /** Name of the class, even if a bundler renames it. */
  override readonly name = "TimeoutError";
  /** Which limit was exceeded: that of one attempt, or the deadline of the call or walk. */
  declare readonly scope: "attempt" | "deadline";
  /** The limit, in milliseconds. */
  declare readonly limitMs: number;

  /** Makes the error. */
  constructor(scope: "attempt" | "deadline", limitMs: number, message: string) {
    super(message, { scope, limitMs } as Partial<DocketError>);
  }
}

/** The caller's own signal aborted. Its reason is the `cause`. */
export class AbortError extends DocketError {
  /** Distinguishes this error from all others. */
  override readonly kind = "abort";
  /** Name of the class, even if a bundler renames it. */
  override readonly name = "AbortError";
}

/** The service answered with a status other than 2xx. The interface documents no such answer. */
export class HttpStatusError extends DocketError {
  /** Distinguishes this error from all others. */
  override readonly kind = "http";
  /** Name of the class, even if a bundler renames it. */
  override readonly name = "HttpStatusError";
  /** HTTP status; 0 for a redirect that the browser hides. */
  declare readonly status: number;
  /** The beginning of the body, 500 characters at most. */
  declare readonly excerpt: string;
  /** The body, 65,536 characters at most, without secrets. Not enumerable, so not logged. */
  declare readonly body: string;
  /** The headers under lower-case names, without secrets and cookies. Not enumerable either. */
  declare readonly headers: Readonly<Record<string, string>>;
  /** How long the service asked the client to wait (`Retry-After`), in milliseconds. */
  declare readonly retryAfterMs?: number;
  /** The parts of the problem document (RFC 9457) in the body, if there is one. */
  declare readonly problem?: {
    /** Short title of this kind of problem. */
    readonly title?: string;
    /** What went wrong this time. */
    readonly detail?: string;
    /** Each part of the request that the service rejected. */
    readonly errors: readonly {
      /** JSON pointer to the part, if it is in the body. */
      readonly pointer?: string;
      /** Name of the query parameter, if the part is one. */
      readonly parameter?: string;
      /** What is wrong, and what is allowed. */
      readonly detail: string;
    }[];
  };

  /** Makes the error. */
  constructor(
    status: number,
    message: string,
    details?: Partial<HttpStatusError>,
  ) {
    const { body = "", headers = {}, ...shown } = details ?? {};
    super(message, { excerpt: "", ...shown, status } as Partial<DocketError>);
    Object.defineProperty(this, "body", { value: body, writable: true });
    Object.defineProperty(this, "headers", { value: headers, writable: true });
  }
}

/** The service answered 2xx with something that is not what the interface describes. */
export class ShapeError extends DocketError {
  /** Distinguishes this error from all others. */
  override readonly kind = "shape";
  /** Name of the class, even if a bundler renames it. */
  override readonly name = "ShapeError";
  /** Where in the answer, for example `fileSets[3].fileCount`; empty for the answer itself. */
  declare readonly path: string;
  /** HTTP status. */
  declare readonly status?: number;
  /** The beginning of the body, if it is not JSON, 500 characters at most. */
  declare readonly excerpt?: string;

  /** Makes the error. */
  constructor(
    path: string,
    message: string,
    details?: Partial<ShapeError>,
  ) {
    super(message, { ...details, path } as Partial<DocketError>);
  }
}

/** A sign that rows changed during a walk, or that the service contradicts itself about them. */
export type Drift =
  /** Rows that the walk had already read came again, and were dropped. */
  | { readonly kind: "repeated"; readonly offset: number; readonly count: number }
  /** The service's total changed. */
  | { readonly kind: "total"; readonly offset: number; readonly from: number; readonly to: number }
  /** With `verify`: the row before the page has moved, so rows may have been skipped. */
  | { readonly kind: "shifted"; readonly offset: number }
  /** The walk ended with fewer rows than the service's total. */
  | {
    readonly kind: "short";
    readonly offset: number;
    readonly expected: number;
    readonly seen: number;
  }
  /**
   * The service contradicts itself: it returns more rows than its total or more on a page than its
   * limit, or a page starts elsewhere than it claims. The walk then ignores that claim.
   */
  | {
    readonly kind: "contradiction";
    readonly offset: number;
    readonly claim: "total" | "limit" | "offset";
    readonly claimed: number;
    readonly seen: number;
  };

/** During a walk with `onDrift: "throw"`, rows changed or the service contradicted itself. */
export class DriftError extends DocketError {
  /** Distinguishes this error from all others. */
  override readonly kind = "drift";
  /** Name of the class, even if a bundler renames it. */
  override readonly name = "DriftError";
  /** What changed. */
  declare readonly drift: Drift;

  /** Makes the error. */
  constructor(drift: Drift, message: string) {
    super(message, { drift } as Partial<DocketError>);
  }
}

/** A walk makes no progress: the service repeats itself, or stops before its own total. */
export class StalledError extends DocketError {
  /** Distinguishes this error from all others. */
  override readonly kind = "stalled";
  /** Name of the class, even if a bundler renames it. */
  override readonly name = "StalledError";
  /** Number of rows that the request skipped. */
  declare readonly offset: number;

  /** Makes the error. */
  constructor(offset: number, message: string) {
    super(message, { offset } as Partial<DocketError>);
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
 * Whether a value is an error of this library, from any copy of it.
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
