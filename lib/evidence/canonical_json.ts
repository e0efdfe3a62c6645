/** JSON in the one form that RFC 8785 (JSON Canonicalization Scheme) gives to a value. */

/**
 * Writes a value as canonical JSON: members in the order of their names' UTF-16 code units, no
 * spaces, numbers and texts as ECMAScript writes them. Members that are undefined are left out.
 *
 * @throws {TypeError} When the value has no such form: half of a surrogate pair, a number that is not
 * finite, or anything that JSON has no word for.
 *
 * @example
 * ```ts
 * import { canonicalJson } from "@docket/docket/evidence";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(canonicalJson({ b: [1e21, "ö"], a: null }), '{"a":null,"b":[1e+21,"ö"]}');
 * ```
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string") {
    if (!value.isWellFormed()) throw new TypeError("A text has half of a surrogate pair");
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value === "object" && value !== null) {
    const row = value as Readonly<Record<string, unknown>>;
    const names = Object.keys(row).filter((name) => row[name] !== undefined).sort();
    return `{${names.map((name) => `${canonicalJson(name)}:${canonicalJson(row[name])}`).join()}}`;
  }
  if (value === null || typeof value === "boolean" || Number.isFinite(value)) {
    return JSON.stringify(value);
  }
  throw new TypeError(`JSON has no form for ${String(value)}`);
}

/**
 * Reads JSON that must be canonical.
 *
 * @throws {SyntaxError | TypeError | RangeError} When it is not JSON, or JSON in another form.
 */
export function parseCanonicalJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (canonicalJson(value) !== text) throw new SyntaxError("The JSON is not in its canonical form");
  return value;
}
