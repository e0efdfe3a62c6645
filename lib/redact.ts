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
      if (secrets.size >= MOST_SECRETS) {
        for (const oldest of secrets.keys()) {
          secrets.delete(oldest);
          break;
        }
      }
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
  const bytes = new TextEncoder().encode(secret);
  const forms = new Set([
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
    btoa(String.fromCharCode(...bytes)).replace(/=+$/, ""),
  ]);
  // The longest first, so that no form leaves the rest of a longer one behind.
  return [...forms].sort((a, b) => b.length - a.length);
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

/** How deep a chain of causes is followed. */
const DEEPEST_CAUSE = 5;

/**
 * Copies a cause without secrets. Errors become plain errors with the same name, message, stack,
 * code and cause; other objects become their text.
 *
 * @param cause Anything that was thrown.
 * @param redact Removes the secrets.
 * @returns The copy.
 */
export function redactCause(cause: unknown, redact: Redact, depth = 0): unknown {
  if (typeof cause === "string") return redact(cause);
  if (typeof cause !== "object" || cause === null) {
    return typeof cause === "function" ? "[function]" : cause;
  }
  if (!isErrorLike(cause)) return redact(Object.prototype.toString.call(cause));
  const inner = cause.cause === undefined || depth >= DEEPEST_CAUSE
    ? undefined
    : { cause: redactCause(cause.cause, redact, depth + 1) };
  const copy = new Error(redact(cause.message), inner);
  define(copy, "name", redact(cause.name));
  if (typeof cause.stack === "string") define(copy, "stack", redact(cause.stack));
  if (typeof cause.code === "string") define(copy, "code", redact(cause.code));
  return copy;
}

function isErrorLike(
  value: object,
): value is { name: string; message: string; stack?: unknown; code?: unknown; cause?: unknown } {
  return "message" in value && typeof value.message === "string" &&
    "name" in value && typeof value.name === "string";
}

function define(target: Error, name: string, value: string): void {
  Object.defineProperty(target, name, {
    value,
    configurable: true,
    writable: true,
    enumerable: false,
  });
}
