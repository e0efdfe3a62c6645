/** Removes secrets, by their value, from the errors and reports of a client. */

export type Redact = (text: string) => string;

export interface Redactor {
  add(secret: string): void;
  readonly redact: Redact;
}

const REPLACEMENT = "[redacted]";

/** How many secrets are remembered: of a token that changes often, the latest. */
const MAX_SECRETS = 64;

const MAX_ENCODINGS = 4;

/** A shorter secret may be part of any word by chance, so it is replaced only as a whole word. */
const SHORT = 8;

/** The characters between words. A secret may contain some of them. */
const SEPARATOR = "[\\s\"'<>()[\\]{},;:=]";

/** Makes a redactor. If a text has an encoded secret, it returns the text decoded and redacted. */
export function createRedactor(): Redactor {
  // Latest first, and in a closure, so that inspecting a client or an error never shows them.
  let secrets: readonly string[] = [];
  return {
    add(secret) {
      // A secret that itself looks encoded is decoded along with the text.
      for (const form of [secret, decodeText(secret)]) {
        // An empty text is found everywhere.
        if (form === "" || secrets.includes(form)) continue;
        secrets = [form, ...secrets].slice(0, MAX_SECRETS);
      }
    },
    redact(text) {
      const remove = (text: string) => secrets.reduce(removeSecret, text);
      let redacted = remove(text);
      let decoded = redacted;
      for (let depth = 1; secrets.length > 0 && depth < MAX_ENCODINGS; depth++) {
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
    // Fewer characters of base64 can't hold the beginning of a secret.
    .replace(
      /[\w+/-]{11,}=*/g,
      (word) => holdsInBase64(word.replace(/=+$/, ""), secret.slice(0, SHORT)) ? REPLACEMENT : word,
    );
  // A text that was cut inside a secret ends with the secret's beginning.
  for (let length = secret.length - 1; length >= SHORT; length--) {
    if (rest.endsWith(secret.slice(0, length))) return rest.slice(0, -length) + REPLACEMENT;
  }
  return rest;
}

/** The most characters of a body that an error repeats. */
const EXCERPT_LENGTH = 500;

/** The beginning of a body on one line, without secrets; with an ellipsis if it is cut. */
export function toExcerpt(text: string, redact: Redact): string {
  // Redacts before cutting, because half of a secret could not be found.
  const line = redact(text).replace(/\s+/g, " ").trim();
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH)}…` : line;
}

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

/** Undoes one level of encoding of the ASCII characters in a text. */
function decodeText(text: string): string {
  return text.replace(
    ENCODED,
    (_, code, hex = code, escaped, decimal, entity) =>
      escaped ?? ENTITIES[entity] ?? String.fromCharCode(hex ? parseInt(hex, 16) : decimal),
  );
}

/** Whether a word is base64, in either alphabet, of something that contains the wanted text. */
function holdsInBase64(word: string, wanted: string): boolean {
  const base64 = word.replaceAll("-", "+").replaceAll("_", "/");
  // The base64 may begin anywhere in the word.
  return [0, 1, 2, 3].some((from) => {
    const rest = base64.slice(from);
    // The length of base64 is never 4n + 1.
    const whole = rest.length % 4 === 1 ? rest.slice(0, -1) : rest;
    return atob(whole).includes(wanted);
  });
}
