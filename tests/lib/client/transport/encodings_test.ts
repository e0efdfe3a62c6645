import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { createRedactor } from "../../../../lib/client/transport/redact.ts";

const bytes = (text: string, write: (code: number) => string) =>
  [...text].map((letter) => write(letter.charCodeAt(0))).join("");
const hex = (code: number, digits: number) => code.toString(16).padStart(digits, "0");
const only = (isWritten: RegExp, write: (code: number) => string) => (text: string) =>
  [...text].map((one) => isWritten.test(one) ? write(one.charCodeAt(0)) : one).join("");
const html: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** What encoders make of a text. */
const ENCODERS: Readonly<Record<string, (text: string) => string>> = {
  "percent": encodeURIComponent,
  "percent in lower case": (text) =>
    encodeURIComponent(text).replace(/%../g, (part) => part.toLowerCase()),
  "percent, every byte": (text) => bytes(text, (code) => `%${hex(code, 2)}`),
  "JSON": (text) => JSON.stringify(text).slice(1, -1),
  "JSON with escaped slashes": (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
  "JSON, every character": (text) => bytes(text, (code) => `\\u${hex(code, 4)}`),
  "JSON, signs in upper case": only(/\W/, (code) => `\\u${hex(code, 4).toUpperCase()}`),
  "JavaScript": only(/[^ -~]|["'\\<&]/, (code) => `\\x${hex(code, 2)}`),
  "HTML, named": (text) => text.replace(/[&<>"']/g, (sign) => html[sign]),
  "HTML, decimal": only(/\W/, (code) => `&#${code};`),
  "HTML, hexadecimal": only(/\W/, (code) => `&#x${hex(code, 2)};`),
  "base64": btoa,
  "base64 within a text": (text) => btoa(`ann:${text}`).replace(/=+$/, ""),
  "base64url": (text) => btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""),
};

const secret = fc.string({ unit: "grapheme-ascii", minLength: 8, maxLength: 40 })
  .filter((text) => /^[!-~]+$/.test(text));
/** Neither letters, which would go on in base64, nor what begins an encoding. */
const around = fc.stringMatching(/^([ ({.,:]{0,8})$/);
const encoder = fc.constantFrom(...Object.keys(ENCODERS));

/** What is said of a text that holds a secret. */
function redacted(text: string, secret: string): string {
  const redactor = createRedactor();
  redactor.add(secret);
  return redactor.redact(text);
}

/** Whether a text holds eight characters of another in a row. */
function leaks(text: string, secret: string): boolean {
  return Array.from(secret.slice(7), (_, at) => secret.slice(at, at + 8))
    .some((part) => text.includes(part));
}

Deno.test("createRedactor: removes a secret, encoded once or twice", () => {
  const encoders = fc.tuple(encoder, fc.option(encoder));
  fc.assert(
    fc.property(secret, around, around, encoders, (secret, before, after, [inner, outer]) => {
      // Base64 of an encoded text, and of base64, is beyond what a service says by accident.
      fc.pre(!outer?.startsWith("base64"));
      const once = ENCODERS[inner](secret);
      const encoded = outer ? ENCODERS[outer](once) : once;
      const text = redacted(`${before} ${encoded} ${after}`, secret);
      assertStringIncludes(text, "[redacted]", encoded);
      assert(!text.includes(encoded) && !leaks(text, secret), text);
      assert(outer !== null || !leaks(text, encoded), text);
    }),
    { numRuns: 1500 },
  );
});

Deno.test("createRedactor: other texts stay as they are, encoded or not", () => {
  const others = [
    "status 400: Bad Request",
    "%2 \\u00 &nothing; &#x2B; a%2Bb",
    "dG9rZW4tb2Ytb3RoZXJz",
    "",
  ];
  for (const text of others) assertEquals(redacted(text, "secret-token"), text);
});

Deno.test("createRedactor: a short secret is removed as a word alone", () => {
  assertEquals(
    redacted("a request to search, token=a", "a"),
    "[redacted] request to search, token=[redacted]",
  );
  assertEquals(redacted("database abcdefgh", "ab"), "database abcdefgh");
  assertEquals(redacted('you sent "a-b."', "a-b."), 'you sent "[redacted]"');
  assertEquals(redacted("you sent a:b, or b:a:b", "a:b"), "you sent [redacted], or b:[redacted]");
});

Deno.test("createRedactor: a secret that looks encoded, and is short without that, is removed", () => {
  assertEquals(redacted(String.raw` !%00!!!\" `, '!%00!!!"'), " [redacted] ");
});
