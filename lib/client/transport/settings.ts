/** The options of a client, checked and completed. */
import { check, checkCount, checkMs, checkToken, isSecretHeader } from "../../check.ts";
import type { AnyDocketError } from "../../errors.ts";
import { createRedactor, type Redactor } from "./redact.ts";
import { DEFAULT_TOKEN_HEADER } from "./request.ts";
import { type Runtime, systemRuntime } from "./runtime.ts";

/** How to send requests, for a client or a single call. */
export interface SendOptions {
  /** Additional headers of every request; those of a call are added to the client's. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The most attempts for one request, from 1. Default: 3. */
  readonly attempts?: number;
  /** Limit for one attempt with its whole body, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /**
   * Limit for one request with all its attempts and waits, in milliseconds. If a wait would go past
   * it, the request fails at once. Default: 120,000.
   */
  readonly deadlineMs?: number;
}

/** A request and its answer, whatever its status. */
export interface ResponseInfo {
  /** HTTP method. */
  readonly method: string;
  /** Absolute URL. */
  readonly url: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** HTTP status. */
  readonly status: number;
  /** The headers under lower-case names, without cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** Time from sending the request to the end of the body, in milliseconds. */
  readonly ms: number;
}

/**
 * The URL and token of the service, how to send requests, and functions that the client calls while
 * it works: if one throws, the call fails with its error.
 */
export interface ClientOptions extends SendOptions {
  /** Absolute URL of the service, http or https; it may have a path. */
  readonly baseUrl: string | URL;
  /**
   * The developer token, or a function that returns it and is called before each attempt. If the
   * service answers 401, the function is called once more, with the token that was rejected. With
   * null, no token is sent, such as from a page whose session cookie is enough.
   */
  readonly token: string | ((rejected?: string) => string | Promise<string>) | null;
  /** Name of the token's header. Default: `X-SERVICE-Developer-Token`. */
  readonly tokenHeader?: string;
  /** Sends a request, as the global `fetch` does, which is the default. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * Decides whether a failed attempt, counted from 1, is followed by another: returns how many
   * milliseconds to wait before it, false for none, or undefined to leave the decision to the
   * client, which is the default.
   */
  readonly retry?: (error: AnyDocketError, attempt: number) => number | false | undefined;
  /**
   * What happens if a field does not have the interface's type: `strict`, the default, throws a
   * `ShapeError`; `report` leaves the field out and counts it in `unexpectedAnswers` of the walk's
   * report. An invalid id or envelope is an error in either case.
   */
  readonly shape?: "strict" | "report";
  /** Called before each attempt. */
  readonly onRequest?: (request: Pick<ResponseInfo, "method" | "url" | "attempt">) => void;
  /** Called after each attempt that got an answer. */
  readonly onResponse?: (response: ResponseInfo) => void;
  /** Called before the wait for another attempt, with the error and the wait in milliseconds. */
  readonly onRetry?: (
    retry: Pick<ResponseInfo, "method" | "url" | "attempt"> & {
      readonly error: AnyDocketError;
      readonly waitMs: number;
    },
  ) => void;
  /** Clock, waiting and random numbers, for tests. Default: the real ones. */
  readonly runtime?: Runtime;
}

type Hooks = Pick<ClientOptions, "onRequest" | "onResponse" | "onRetry">;

/** The options of a client, checked and complete. */
export interface ClientSettings
  extends
    Required<Omit<ClientOptions, keyof Hooks | "baseUrl" | "retry">>,
    Pick<ClientOptions, "retry"> {
  readonly hooks: Hooks;
  /** The service asked for no requests before this time, in milliseconds since 1970. */
  readonly pause: { until: number };
  readonly redactor: Redactor;
}

/** Checks options and adds the defaults; throws a ConfigurationError if one is not valid. */
export function resolveOptions(
  options: ClientOptions,
  pause: ClientSettings["pause"] = { until: 0 },
): ClientSettings {
  const {
    token,
    tokenHeader = DEFAULT_TOKEN_HEADER,
    headers = {},
    attempts = 3,
    timeoutMs = 30_000,
    deadlineMs = 120_000,
    shape = "strict",
    runtime = systemRuntime(),
  } = options;
  const redactor = createRedactor();
  if (token !== null && typeof token !== "function") {
    checkToken(token);
    redactor.add(token);
  }
  check(isHeader(tokenHeader, ""), "tokenHeader", "a header's name");
  check(typeof (options.fetch ?? fetch) === "function", "fetch", "a function");
  checkCount("attempts", attempts, 1);
  checkMs("timeoutMs", timeoutMs);
  checkMs("deadlineMs", deadlineMs);
  check(shape === "strict" || shape === "report", "shape", `"strict" or "report"`);

  return {
    token,
    tokenHeader,
    headers: checkedHeaders(headers, token === null ? "" : tokenHeader, redactor.add),
    // Looked up for each request, so that a replaced global is used. Called as a function, because it
    // throws as a method of another object.
    fetch: (url, init) => (options.fetch ?? fetch)(url, init),
    attempts,
    timeoutMs,
    deadlineMs,
    shape,
    retry: options.retry,
    hooks: options,
    pause,
    runtime,
    redactor,
  };
}

/** Options with changes. Headers are added to those before; undefined options change nothing. */
export function withChanges(
  options: ClientOptions,
  changed: Partial<ClientOptions>,
): ClientOptions {
  const defined = Object.entries(changed).filter(([, value]) => value !== undefined);
  const headers = { ...options.headers, ...changed.headers };
  return { ...options, ...Object.fromEntries(defined), headers };
}

/** Copies headers under lower-case names, and adds the values of secret ones to the secrets. */
function checkedHeaders(
  headers: Readonly<Record<string, string>>,
  tokenHeader: string,
  addSecret: (secret: string) => void,
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    check(isHeader(name, value), `headers.${name}`, "a header's name and value");
    const lowerCase = name.toLowerCase();
    check(lowerCase !== tokenHeader.toLowerCase(), `headers.${name}`, "another than the token's");
    if (isSecretHeader(name)) {
      addSecret(value);
      // A service may repeat the value without its scheme, or one cookie of several.
      value.split(/[\s;,=]+/).filter(({ length }) => length >= 8).forEach(addSecret);
    }
    result[lowerCase] = value;
  }
  return result;
}

function isHeader(name: string, value: string): boolean {
  try {
    new Headers({ [name]: value });
    return true;
  } catch {
    return false;
  }
}
