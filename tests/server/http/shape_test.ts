import { assertEquals } from "@std/assert";
import type { ValidationIssue } from "../../../server/http/problem.ts";
import {
  choice,
  either,
  flag,
  integer,
  list,
  moment,
  nullable,
  optional,
  record,
  refine,
  type Shape,
  text,
  time,
  toJson,
} from "../../../server/http/shape.ts";

const NOTE = record({
  name: nullable(text({ max: 5 })),
  kind: nullable(choice(["a", "b"])),
  ids: nullable(either(text(), list(integer({ min: 1, max: 5 }), { max: 2 }), "must be ids")),
  until: optional(nullable(moment())),
  all: optional(flag()),
});

function read<Json>(shape: Shape<Json>, json: unknown) {
  const faults: ValidationIssue[] = [];
  const value = shape.read(json, "", faults);
  return { value, faults: faults.map(({ pointer, detail }) => `${pointer} ${detail}`) };
}

Deno.test("record: reads what it describes, and otherwise names every fault at once", () => {
  const note = { name: "Grace", kind: "a", ids: [1, 2], until: "2026-01-01T00:00:00Z" } as const;
  assertEquals(read(NOTE, note), { value: note, faults: [] });
  assertEquals(read(NOTE, { ...note, until: null }).faults, []);
  const json = JSON.parse(
    `{"name": "abcdef", "kind": "c", "ids": [0], "until": "2026-02-30T00:00:00Z", "all": 1,
      "__proto__": 1, "constructor": 2, "a/b~": 3}`,
  );
  const unknown = ["__proto__", "constructor", "a~1b~0"]
    .map((name) => `/${name} is not known; allowed are name, kind, ids, until, all`);
  assertEquals(read(NOTE, json).faults, [
    ...unknown,
    "/name must have at most 5 characters",
    "/kind must be one of a, b",
    "/ids must be ids",
    "/until is a date or a time that does not exist",
    "/all must be true or false",
  ]);
  assertEquals(read(NOTE, {}).faults, ["name", "kind", "ids"].map((name) => `/${name} is missing`));
  assertEquals(read(NOTE, []).faults, [" must be an object"]);
  // A member that every object has is only there if it is sent.
  assertEquals(read(record({ constructor: optional(text()) }), {}).faults, []);
  const ruled = refine(record({}), (_json, report) => report("/a", "is odd"));
  assertEquals(read(list(ruled), [{}]).faults, ["/0/a is odd"]);
});

Deno.test("toJson: writes times in UTC, and of an object only what is described", () => {
  const [at, written] = [Date.UTC(2026, 0, 1), "2026-01-01T00:00:00.000Z"];
  const shape = record({ until: optional(nullable(time())), on: list(nullable(time())) });
  const row = { until: null, on: [at, null] };
  const json = { until: null, on: [written, null] };
  assertEquals(toJson(shape, { ...row, secret: "sealed" } as typeof row), json);
  assertEquals(read(shape, json), { value: row, faults: [] });
  assertEquals(toJson(shape, { on: [] }), { on: [] });
  assertEquals(read(time(), "2026-01-01T01:00:00+01:00").value, at);
  assertEquals(read(time(), "2026-01-01").faults.length, 1);
});
