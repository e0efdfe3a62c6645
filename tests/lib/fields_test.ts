import { assertEquals, assertThrows } from "@std/assert";
import { decodeFileSetPage, decodeHistory } from "../../lib/client/decode.ts";
import { ShapeError } from "../../lib/errors.ts";
import {
  type Field,
  type FieldKind,
  FILE_SET_FIELDS,
  PAGE_CONTEXT_FIELDS,
  RECIPIENT_FIELDS,
  RUN_FIELDS,
} from "../../lib/fields.ts";

/** Values of every kind, for each the one that is right. */
const VALUES: Readonly<Record<FieldKind, unknown>> = {
  "string": "text",
  "date-time": "2026-01-01T00:00:00Z",
  "integer": 7,
  "boolean": true,
};

type Decode = (row: Record<string, unknown>) => unknown;

const TABLES: readonly [string, Readonly<Record<string, Field>>, Decode][] = [
  [
    "FILE_SET_FIELDS",
    FILE_SET_FIELDS,
    (row) => decodeFileSetPage({ fileSets: [row], pageContext: {} }),
  ],
  [
    "PAGE_CONTEXT_FIELDS",
    PAGE_CONTEXT_FIELDS,
    (row) => decodeFileSetPage({ fileSets: [], pageContext: row }),
  ],
  ["RUN_FIELDS", RUN_FIELDS, (row) => decodeHistory([row])],
  ["RECIPIENT_FIELDS", RECIPIENT_FIELDS, (row) => decodeHistory([{ id: 1, recipients: [row] }])],
];

for (const [table, fields, decode] of TABLES) {
  Deno.test(`${table}: the decoder takes each field's own kind and no other`, () => {
    const whole = Object.fromEntries(
      Object.entries(fields).map(([name, { kind }]) => [name, VALUES[kind]]),
    );
    decode(whole);
    for (const [name, { kind }] of Object.entries(fields)) {
      for (const value of ["text", 7, 1.5, 2 ** 53, true, ["x"], {}]) {
        const isRight = kind === "date-time" || kind === "string"
          ? typeof value === "string"
          : typeof value === typeof VALUES[kind] && value !== 1.5 && value !== 2 ** 53;
        const row = { ...whole, [name]: value };
        if (isRight) decode(row);
        else assertThrows(() => decode(row), ShapeError, name);
      }
    }
  });

  Deno.test(`${table}: the decoder misses exactly the fields that may not be missing`, () => {
    for (const [name, { kind, mayBeMissing }] of Object.entries(fields)) {
      for (const value of [undefined, null]) {
        const row = { ...(fields.id && { id: VALUES[fields.id.kind] }), [name]: value };
        if (mayBeMissing) decode(row);
        else assertThrows(() => decode(row), ShapeError, name);
      }
      assertEquals(mayBeMissing, name !== "id", `${name} ${kind}`);
    }
  });
}
