/** Removes secrets, by their value, from everything that is said about a call. */

export type Redact = (text: string) => string;

/** Remembers secrets and removes them from texts. */
export interface Redactor {
  add(secret: string): void;
  readonly redact: Redact;
}

const REPLACEMENT = "[redacted]";

/** How many secrets are remembered; a token that changes often pushes the oldest out. */
const MOST_SECRETS = 64;

/** How many nested encodings are undone. */
const MOST_ENCODINGS = 4;

/** A shorter secret may be part of any word; this many equal characters are no coincidence. */
const SHORT = 8;

/** What separates words. A secret may contain some of it. */
const SEPARATOR = "[\\s\"'<>()[\\]{},;:=]";

/** Makes a redactor. A text with an encoded secret comes back decoded, the secret replaced. */
export function createRedactor(): Redactor {
  // In a closure, so that inspecting a client or an error never shows it. The latest one first.
  let secrets: readonly string[] = [];
  return {
    add(secret) {
      // A secret that itself looks encoded is decoded along with the text.
      for (const form of [secret, decodeText(secret)]) {
        // An empty one would be found everywhere.
        if (form === "" || secrets.includes(form)) continue;
        secrets = [form, ...secrets].slice(0, MOST_SECRETS);
      }
    },
    redact(text) {
      const remove = (text: string) => secrets.reduce(removeSecret, text);
      let redacted = remove(text);
      let decoded = redacted;
      for (let depth = 1; secrets.length > 0 && depth < MOST_ENCODINGS; depth++) {
        const encoded = decoded;
        decoded = decodeText(encoded);
        if (decoded === encoded) break;
        const clean = remove(decoded);
        if (clean !== decoded) redacted = decoded = clean;
      }
      return redacted;
    },
  };
}

function removeSecret(text: string, secret: string): string {
  if (secret.length < SHORT) {
    const escaped = secret.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    const alone = new RegExp(`(?<=^|${SEPARATOR})${escaped}(?=$|${SEPARATOR})`, "g");
    return text.replace(alone, REPLACEMENT);
  }
  const rest = text.replaceAll(secret, REPLACEMENT)
    // This many characters of base64 can hold the beginning of a secret.
    .replace(
      /[\w+/-]{11,}=*/g,
      (run) => holdsInBase64(run.replace(/=+$/, ""), secret.slice(0, SHORT)) ? REPLACEMENT : run,
    );
  // A text that was cut inside a secret ends with the secret's beginning.
  for (let length = secret.length - 1; length >= SHORT; length--) {
    if (rest.endsWith(secret.slice(0, length))) return rest.slice(0, -length) + REPLACEMENT;
  }
  return rest;
}

/** The most characters of a body that an error repeats. */
const EXCERPT_LENGTH = 500;

/** The beginning of a body, on one line and without secrets; an ellipsis when there is more. */
export function excerptOf(text: string, redact: Redact): string {
  // Secrets go first: a secret that is cut in half could no longer be found.
  const line = redact(text).replace(/\s+/g, " ").trim();
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH)}…` : line;
}

/** How deep causes and other values are followed. */
const DEEPEST = 6;

/** Copies a value without secrets. Errors become plain ones with name, message, stack and cause. */
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

/** Percent-encoding, escapes of JSON and JavaScript, entities of HTML. */
const ENCODED =
  /(?:%|\\x|\\u00)([\da-f]{2})|&#x0*([\da-f]{2});|\\(["'/\\])|&#0*(\d{2,3});|&(amp|apos|gt|lt|quot);/gi;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  quot: '"',
};

/** Undoes one encoding of ASCII, wherever it is in a text. */
export function decodeText(text: string): string {
  return text.replace(
    ENCODED,
    (_, code, hex = code, escaped, decimal, entity) =>
      escaped ?? ENTITIES[entity] ?? String.fromCharCode(hex ? parseInt(hex, 16) : decimal),
  );
}

/** Whether letters and digits, in either alphabet, are base64 of something with that text. */
function holdsInBase64(run: string, wanted: string): boolean {
  const base64 = run.replaceAll("-", "+").replaceAll("_", "/");
  // Any number of characters may come before it.
  return [0, 1, 2, 3].some((from) => {
    const rest = base64.slice(from);
    // The length of base64 is never 4n + 1.
    const whole = rest.length % 4 === 1 ? rest.slice(0, -1) : rest;
    return atob(whole).includes(wanted);
  });
}
