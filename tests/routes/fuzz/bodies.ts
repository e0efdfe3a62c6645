/** Bodies for the fuzz tests: searches, forms, and what is neither. */
import fc from "fast-check";
import { junk } from "./texts.ts";

/** A body and the type that its sender would name. */
export interface FuzzBody {
  readonly type: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

const GOOD_SEARCH =
  '{"filters":[{"field":"name","operator":"LIKE","value":["pay"]}],"fieldSort":[{"field":"name"}]}';

/** Of the right shape, with anything in it. */
const search = fc.record({
  fieldSort: fc.array(
    fc.record({ field: fc.oneof(fc.constantFrom("name", "id"), junk), order: junk }),
    { maxLength: 3 },
  ),
  filters: fc.array(
    fc.record({
      field: fc.constantFrom("name", "fileCount", "created", "nope", "__proto__"),
      operator: fc.constantFrom("EQUALS", "LIKE", "IN", "IS_NULL", "GREATER_THAN", "toString"),
      value: fc.array(junk, { maxLength: 3 }),
      not: fc.boolean(),
    }, { requiredKeys: ["field"] }),
    { maxLength: 4 },
  ),
  dateFilters: fc.array(
    fc.record({
      field: fc.constantFrom("created", "updated", "name"),
      start: fc.constantFrom("2025-01-01T00:00:00Z", "-271821-04-20T00:00:00Z", "x"),
      end: fc.constantFrom("2025-02-30T00:00:00Z", "+275760-09-13T00:00:00Z", ""),
      not: fc.boolean(),
    }, { requiredKeys: ["field"] }),
    { maxLength: 3 },
  ),
}, { requiredKeys: [] }).map((body) => JSON.stringify(body));

const json = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("{}", GOOD_SEARCH) },
  { weight: 3, arbitrary: search },
  fc.json(),
  fc.tuple(fc.oneof(search, fc.constant(GOOD_SEARCH)), fc.nat()).map(([text, at]) =>
    text.slice(0, at % (text.length + 1))
  ),
  fc.constantFrom(
    "[".repeat(100_000),
    `${'{"filters":'.repeat(500)}1`,
    '{"filters":[{"field":"fileCount","value":[1e999,-1e999]}]}',
    '{"__proto__":{"filters":[]},"constructor":{}}',
    '{"filters":null,"fieldSort":{},"dateFilters":"all"}',
    '{"filters":[],"filters":[{}]}',
    `{"filters":[${'{"field":"id","value":["x"]},'.repeat(3000)}{}]}`,
    `"${"x".repeat(2_000_000)}"`,
    "\ufeff{}",
    "{}\0",
  ),
);

const FORM_FIELDS = [
  "next",
  "token",
  "code",
  "add",
  "remove",
  "status",
  "meaning",
  "reset",
  "zone",
  "theme",
  "density",
  "shortcuts",
  "recent",
  "watch",
  "statuses",
] as const;

const FORM_VALUES = ["good", "bad", "/filesets", "//evil.example", "101,102", "UTC", "x", "\0"];

const form = fc.array(
  fc.tuple(fc.constantFrom(...FORM_FIELDS), fc.oneof(fc.constantFrom(...FORM_VALUES), junk)),
  { maxLength: 8 },
).map((pairs) =>
  String(new URLSearchParams(pairs.map(([name, value]) => [name, value.toWellFormed()])))
);

const multipart = '--x\r\ncontent-disposition: form-data; name="token"\r\n\r\nsecret\r\n--x--\r\n';

const LARGE_FORM = `add=${"1,".repeat(1_000_000)}`;

/** A body for a route, mostly of the type that it reads; or none. */
export function anyBody(route: string): fc.Arbitrary<FuzzBody | null> {
  const isOperation = route.startsWith("/api/");
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(null) },
    {
      weight: isOperation ? 8 : 1,
      arbitrary: json.map((content) => ({ type: JSON_TYPE, content })),
    },
    {
      weight: isOperation ? 1 : 6,
      arbitrary: form.map((content) => ({ type: FORM_TYPE, content })),
    },
    fc.uint8Array({ maxLength: 200 }).map((bytes) => ({
      type: isOperation ? JSON_TYPE : FORM_TYPE,
      content: new Uint8Array(bytes),
    })),
    fc.constantFrom(
      { type: "multipart/form-data; boundary=x", content: multipart },
      { type: FORM_TYPE, content: LARGE_FORM },
    ),
  );
}
