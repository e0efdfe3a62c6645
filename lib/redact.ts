/**
 * Removes secrets, by their value, from everything that is said about a call.
 *
 * @module
 */

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
 * A secret is found as it is, percent-encoded, escaped as in JSON, in base64, and cut off at the
 * end of a text.
 *
 * @returns The redactor.
 */
export function createRedactor(): Redactor {
  // In a closure, so that inspecting a client or an error never shows it.
  const secrets = new Map<string, string[]>();
  return {
    add(secret) {
      if (secret === "" || secrets.has(secret)) return;
      // The oldest one stands first.
      if (secrets.size >= MOST_SECRETS) secrets.delete(secrets.keys().next().value!);
      secrets.set(secret, spellings(secret));
    },
    redact(text) {
      let result = text;
      for (const [secret, forms] of secrets) {
        for (const form of forms) result = result.replaceAll(form, REPLACEMENT);
        result = dropCutSecret(result, secret);
      }
      return result;
    },
  };
}

function spellings(secret: string): string[] {
  const forms = [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
    btoa(secret.replace(/[^\0-\xff]/g, "")).replace(/=+$/, ""),
  ];
  // The longest first, so that no form leaves the rest of a longer one behind.
  return forms.sort((a, b) => b.length - a.length);
}

/** A text that was cut inside a secret ends with the secret's beginning. */
function dropCutSecret(text: string, secret: string): string {
  const longest = Math.min(secret.length - 1, text.length);
  // Eight characters that agree are hardly chance; fewer reveal little.
  for (let length = longest; length >= 8; length--) {
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + REPLACEMENT;
  }
  return text;
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
  if (typeof value === "function" || depth > DEEPEST) return undefined;
  if (typeof value !== "object" || value === null) return value;
  const part = (inner: unknown) => scrub(inner, redact, depth + 1);
  if (Array.isArray(value)) return value.map(part);
  if (!("message" in value && "name" in value)) {
    return Object.fromEntries(Object.entries(value).map((entry) => entry.map(part)));
  }
  const copy = new Error(redact(String(value.message)));
  for (const name of ["name", "stack", "code", "cause"]) {
    const own = part((value as Record<string, unknown>)[name]);
    if (own !== undefined) Object.defineProperty(copy, name, { value: own });
  }
  return copy;
}
