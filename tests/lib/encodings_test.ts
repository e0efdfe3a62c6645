import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { findEncoded } from "../../lib/encodings.ts";

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

for (const name of Object.keys(ENCODERS)) {
  Deno.test(`findEncoded: finds the whole of a secret encoded as ${name}`, () => {
    fc.assert(fc.property(secret, around, around, (secret, before, after) => {
      const encoded = ENCODERS[name](secret);
      const parts = findEncoded(`${before} ${encoded} ${after}`, [secret]);
      const from = before.length + 1;
      assert(
        parts.some(([a, b]) => a <= from && b >= from + encoded.replace(/=+$/, "").length),
        `${encoded}: ${JSON.stringify(parts)}`,
      );
    }));
  });
}

Deno.test("findEncoded: finds it under two encodings, one upon the other", () => {
  fc.assert(
    fc.property(secret, encoder, encoder, (secret, inner, outer) => {
      // Base64 of an encoded text, and of base64, is beyond what a service says by accident.
      fc.pre(!outer.startsWith("base64"));
      const encoded = ENCODERS[outer](
        inner === "base64" ? ENCODERS.base64url(secret) : ENCODERS[inner](secret),
      );
      const [part] = findEncoded(` ${encoded} `, [secret]);
      assert(part && part[0] <= 1 && part[1] >= 1 + encoded.length, encoded);
    }),
    { numRuns: 500 },
  );
});

Deno.test("findEncoded: its parts are apart from each other and in order", () => {
  fc.assert(fc.property(fc.string(), fc.array(fc.string({ minLength: 1 })), (text, wanted) => {
    const places = findEncoded(text, wanted).flat();
    assertEquals(places, places.toSorted((a, b) => a - b));
    assert(places.every((place) => place >= 0 && place <= text.length));
  }));
});

Deno.test("findEncoded: of other texts it finds nothing", () => {
  const others = [
    "status 400: Bad Request",
    "%2",
    "\\u00",
    "&nothing;",
    "dG9rZW4tb2Ytb3RoZXJz",
    "",
  ];
  for (const text of others) assertEquals(findEncoded(text, ["secret-token"]), [], text);
});

Deno.test("findEncoded: a short one is found as a word alone", () => {
  assertEquals(findEncoded("a request to search file sets, token=a", ["a"]), [[0, 1], [37, 38]]);
  assertEquals(findEncoded("database abcdefgh", ["ab"]), []);
});
