/**
 * Writes a value as canonical JSON (RFC 8785), so that equal values have equal texts: members in the
 * order of their names' UTF-16 code units, no spaces, numbers and texts as ECMAScript writes them.
 * Members that are undefined are left out.
 *
 * @param value The value.
 * @param replaced Returns another text for a member or an element, or undefined to write its value.
 * @returns The text.
 * @throws {TypeError} If JSON can't hold the value: half of a surrogate pair, NaN, an infinite number,
 * or a type that JSON lacks.
 *
 * @example
 * ```ts
 * import { canonicalJson } from "@docket/docket/evidence";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(canonicalJson({ b: [1e21, "ö"], a: null }), '{"a":null,"b":[1e+21,"ö"]}');
 * ```
 */
export function canonicalJson(
  value: unknown,
  replaced?: (value: unknown, name?: string) => string | undefined,
): string {
  if (typeof value === "string") return quoted(value);
  if (value === null || typeof value === "boolean" || Number.isFinite(value)) return String(value);
  if (typeof value !== "object") throw new TypeError(`JSON can't hold ${String(value)}`);
  let text = "";
  const add = (before: string, part: unknown, name?: string) =>
    text += (text === "" ? "" : ",") + before +
      (replaced?.(part, name) ?? canonicalJson(part, replaced));
  if (Array.isArray(value)) {
    for (const part of value) add("", part);
    return `[${text}]`;
  }
  const row = value as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(row).sort()) {
    if (row[name] !== undefined) add(`${quoted(name)}:`, row[name], name);
  }
  return `{${text}}`;
}

function quoted(text: string): string {
  if (!text.isWellFormed()) throw new TypeError("A text has half of a surrogate pair");
  return JSON.stringify(text);
}

/** Parses JSON; throws if it is invalid or not canonical. */
export function parseCanonicalJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (canonicalJson(value) !== text) throw new SyntaxError("The JSON is not in its canonical form");
  return value;
}
