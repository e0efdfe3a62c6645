import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { createIdSet } from "../../../../lib/client/walks/id_set.ts";

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

Deno.test("createIdSet: knows exactly what a set knows", () => {
  fc.assert(
    fc.property(fc.array(ids, { maxLength: 200 }), (list) => {
      const plain = new Set<string | number>();
      const add = createIdSet();
      for (const id of [...list, ...list]) {
        assertEquals(add(id), !plain.has(id), String(id));
        plain.add(id);
      }
    }),
    { numRuns: 200 },
  );
});

Deno.test("createIdSet: keeps apart a hundred thousand ids that differ little", () => {
  const forms = [
    (hex: string) => `8f14e45f-ceea-467f-a8ec-${hex}`,
    (hex: string) => `${hex.slice(4)}-ceea-467f-a8ec-0123456789ab`,
    (hex: string) => `${hex.slice(7)}000-ceea-467f-a8ec-0123456789ab`,
  ];
  for (const form of forms) {
    const add = createIdSet();
    const id = (number: number) => form(number.toString(16).padStart(12, "0"));
    for (let number = 0; number < 100_000; number++) add(id(number));
    let known = 0;
    for (let number = 50_000; number < 150_000; number++) if (!add(id(number))) known++;
    assertEquals(known, 50_000);
  }
});

Deno.test("createIdSet: one other character makes another id", () => {
  const characters = fc.constantFrom(..."0123456789abcdefABCDEFg-:/`@ ", "é", "\u0130", "\u0161");
  fc.assert(
    fc.property(fc.uuid(), fc.nat(35), characters, (id, at, character) => {
      const other = id.slice(0, at) + character + id.slice(at + 1);
      const add = createIdSet();
      add(id);
      assertEquals(add(other), other !== id);
      assertEquals([add(id), add(other)], [false, false]);
    }),
    { numRuns: 2000 },
  );
});
