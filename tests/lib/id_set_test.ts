import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { IdSet } from "../../lib/id_set.ts";

const ids = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.uuid().map((id) => id.replace(/[0-9a-f]$/, "g")),
  fc.uuid().map((id) => id.replace(/[0-9a-f]$/, "é")),
  fc.constantFrom(
    "00000000-0000-0000-0000-000000000000",
    "00000000-0000-0000-0000-000000000001",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "00000000000000000000000000000000----",
    "0000000-00000-0000-0000-000000000000",
  ),
  fc.string(),
  fc.integer(),
  fc.integer().map(String),
);

Deno.test("IdSet: knows exactly what a set knows", () => {
  fc.assert(
    fc.property(fc.array(ids, { maxLength: 200 }), (list) => {
      const plain = new Set<string | number>();
      const set = new IdSet();
      for (const id of [...list, ...list]) {
        assertEquals(set.add(id), !plain.has(id), String(id));
        plain.add(id);
      }
      assertEquals(set.size, plain.size);
      assertEquals(new IdSet(list).size, plain.size);
    }),
    { numRuns: 200 },
  );
});

Deno.test("IdSet: keeps apart a hundred thousand ids that differ little", () => {
  const set = new IdSet();
  const id = (number: number) => `8f14e45f-ceea-467f-a8ec-${number.toString(16).padStart(12, "0")}`;
  for (let number = 0; number < 100_000; number++) set.add(id(number));
  assertEquals(set.size, 100_000);
  let known = 0;
  for (let number = 50_000; number < 150_000; number++) if (!set.add(id(number))) known++;
  assertEquals([known, set.size], [50_000, 150_000]);
});

Deno.test("IdSet: one other character makes another id", () => {
  const characters = fc.constantFrom(..."0123456789abcdefABCDEFg-:/`@ ", "é", "\u0130", "\u0161");
  fc.assert(
    fc.property(fc.uuid(), fc.nat(35), characters, (id, at, character) => {
      const other = id.slice(0, at) + character + id.slice(at + 1);
      const set = new IdSet([id]);
      assertEquals(set.add(other), other !== id);
      assertEquals([set.add(id), set.add(other)], [false, false]);
    }),
    { numRuns: 2000 },
  );
});
