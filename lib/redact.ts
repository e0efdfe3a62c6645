/**
 * Removes secrets, by their value, from everything that is said about a call.
 *
 * @module
 */

import { findEncoded } from "./encodings.ts";

/** Returns the text without any known secret. */
export type Redact = (text: string) => string;

/** Remembers secrets and removes them from texts. */
export interface Redactor {
  /** Makes a value known as a secret. */
  add(secret: string): void;
  /** Returns the text with every known secret replaced. */
  readonly redact: Redact;
}

/** What stands where a secret was. */
const REPLACEMENT = "[redacted]";

/** How many secrets are remembered; a token that changes often pushes the oldest out. */
const MOST_SECRETS = 64;

/**
 * Makes a redactor that knows no secret yet.
 *
 * @returns The redactor.
 */
export function createRedactor(): Redactor {
  // In a closure, so that inspecting a client or an error never shows it. The latest one first.
  let secrets: readonly string[] = [];
  return {
    add(secret) {
      // An empty one would be found everywhere.
      if (secret === "" || secrets.includes(secret)) return;
      secrets = [secret, ...secrets].slice(0, MOST_SECRETS);
    },
    redact(text) {
      if (secrets.length === 0) return text;
      let redacted = "";
      let end = 0;
      for (const [from, to] of findEncoded(text, secrets)) {
        redacted += text.slice(end, from) + REPLACEMENT;
        end = to;
      }
      return redacted + text.slice(end);
    },
  };
}

/** The most characters of a body that an error repeats. */
const EXCERPT_LENGTH = 500;

/**
 * The beginning of a body, on one line and without secrets.
 *
 * @param text The body, or its beginning.
 * @param redact Removes the secrets.
 * @returns At most 500 characters, and an ellipsis when there were more.
 */
export function excerptOf(text: string, redact: Redact): string {
  // Secrets go first: a secret that is cut in half could no longer be found.
  const line = redact(text).replace(/\s+/g, " ").trim();
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH)}…` : line;
}

/** How deep causes and other values are followed. */
const DEEPEST = 6;

/**
 * Copies a value without secrets. Errors become plain errors with the same name, message, stack,
 * code and cause.
 *
 * @param value Anything.
 * @param redact Removes the secrets.
 * @param depth How deep in another value it is.
 * @returns The copy.
 */
export function scrub(value: unknown, redact: Redact, depth = 0): unknown {
  if (typeof value === "string") return redact(value);
  if (value !== Object(value)) return value;
  if (typeof value === "function" || depth > DEEPEST) return undefined;
  const part = (inner: unknown) => scrub(inner, redact, depth + 1);
  if (Array.isArray(value)) return value.map(part);
  if (!("stack" in (value as object))) {
    return Object.fromEntries(Object.entries(value as object).map((entry) => entry.map(part)));
  }
  const copy = new Error();
  for (const name of ["message", "name", "stack", "code", "cause"]) {
    const own = part((value as unknown as Record<string, unknown>)[name]);
    if (own !== undefined) Object.defineProperty(copy, name, { value: own });
  }
  return copy;
}
