/**
 * The options of a client, checked and completed.
 *
 * @module
 */

import { tokenProblem } from "./attempt.ts";
import { ConfigurationError } from "./errors.ts";
import { createRedactor } from "./redact.ts";
import { DEFAULT_TOKEN_HEADER } from "./request.ts";
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
  if (token !== null && typeof token !== "string" && typeof token !== "function") {
    refuse("token", "must be a string, a function that returns one, or null to send none");
  }
  if (typeof token === "string") {
    const problem = tokenProblem(token);
    if (problem !== undefined) throw new ConfigurationError("token", problem);
  }
  if (!isHeaderName(tokenHeader)) refuse("tokenHeader", "must be the name of a header");
  if (!Number.isSafeInteger(attempts) || attempts < 1) {
    refuse("attempts", "must be an integer of at least 1");
  }
  if (!(timeoutMs > 0)) refuse("timeoutMs", "must be greater than 0");
  if (!(deadlineMs > 0)) refuse("deadlineMs", "must be greater than 0");
  if (fetch !== undefined && typeof fetch !== "function") refuse("fetch", "must be a function");

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
    if (!isHeaderName(name)) refuse("headers", "must have names of headers as its keys");
    if (typeof value !== "string" || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      refuse(`headers.${name}`, "must be a string without line breaks");
    }
    if (/auth|cookie|key|secret|token/i.test(name)) addSecret(value);
    result[name.toLowerCase()] = value;
  }
  return result;
}

function isHeaderName(name: unknown): boolean {
  return typeof name === "string" && /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

function refuse(parameter: string, problem: string): never {
  throw new ConfigurationError(parameter, `${parameter} ${problem}`);
}
