/**
 * The options of a client, checked and completed.
 *
 * @module
 */

import { tokenProblem } from "./attempt.ts";
import { ConfigurationError } from "./errors.ts";
import { createRedactor } from "./redact.ts";
import { checkCount, DEFAULT_TOKEN_HEADER } from "./request.ts";
import { type Runtime, systemRuntime } from "./runtime.ts";
import type { Token, TransportSettings } from "./transport.ts";

/** Where the service is, and how to talk to it. */
export interface ClientOptions {
  /** Absolute URL of the service, http or https; it may have a path. */
  readonly baseUrl: string | URL;
  /**
   * The developer token, or a function that is asked for it before each attempt. Null sends none,
   * for a page whose session cookie is enough.
   */
  readonly token: Token;
  /** Name of the token's header. Default: `X-SERVICE-Developer-Token`. */
  readonly tokenHeader?: string;
  /** Headers that every request carries besides. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends a request, as the global `fetch` does, which is the default. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** The most attempts for one request, from 1. Default: 3. */
  readonly attempts?: number;
  /** Time for one attempt with its whole body, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /**
   * Time for one request with all its attempts and the waiting between them, in milliseconds. A
   * wait that would not fit in fails at once. Default: 120,000.
   */
  readonly deadlineMs?: number;
  /** Clock, waiting and chance, for tests. Default: the real ones. */
  readonly runtime?: Runtime;
}

/**
 * Checks the options of a client and fills in what is missing.
 *
 * @param options The options.
 * @returns What the transport works with.
 * @throws {ConfigurationError} When an option can't be used.
 */
export function readSettings(options: ClientOptions): TransportSettings {
  const {
    token,
    tokenHeader = DEFAULT_TOKEN_HEADER,
    headers = {},
    fetch,
    attempts = 3,
    timeoutMs = 30_000,
    deadlineMs = 120_000,
    runtime = systemRuntime(),
  } = options;
  check("token", "a string, a function that returns one, or null", isToken(token));
  const problem = typeof token === "string" ? tokenProblem(token) : undefined;
  if (problem !== undefined) throw new ConfigurationError("token", problem);
  check("tokenHeader", "the name of a header", isHeaderName(tokenHeader));
  checkCount("attempts", attempts, 1);
  check("timeoutMs", "greater than 0", timeoutMs > 0);
  check("deadlineMs", "greater than 0", deadlineMs > 0);
  check("fetch", "a function", fetch === undefined || typeof fetch === "function");

  const redactor = createRedactor();
  if (typeof token === "string") redactor.add(token);
  return {
    token,
    tokenHeader,
    headers: readHeaders(headers, (secret) => redactor.add(secret)),
    // Called through a function of our own: as a method of another object, fetch refuses to work.
    fetch: fetch ? (url, init) => fetch(url, init) : (url, init) => globalThis.fetch(url, init),
    attempts,
    timeoutMs,
    deadlineMs,
    runtime,
    redactor,
  };
}

/** Copies the headers under lower-case names; values of names that sound secret are secrets. */
function readHeaders(
  headers: Readonly<Record<string, string>>,
  addSecret: (secret: string) => void,
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    check("headers", "an object whose keys are names of headers", isHeaderName(name));
    const isValue = typeof value === "string" && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
    check(`headers.${name}`, "a string without line breaks", isValue);
    if (/auth|cookie|key|secret|token/i.test(name)) addSecret(value);
    result[name.toLowerCase()] = value;
  }
  return result;
}

function isHeaderName(name: unknown): boolean {
  return typeof name === "string" && /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

function isToken(token: unknown): boolean {
  return token === null || typeof token === "string" || typeof token === "function";
}

function check(parameter: string, expected: string, isGood: boolean): void {
  if (!isGood) throw new ConfigurationError(parameter, `${parameter} must be ${expected}`);
}
