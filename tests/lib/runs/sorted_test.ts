import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { addTo, distancesFrom, sortedOf, takeFrom } from "../../../lib/runs/sorted.ts";

const numbers = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { maxLength: 60 });

Deno.test("sortedOf: gives the numbers in order, few or many", () =>
  fc.assert(fc.property(numbers, (values) => {
    assertEquals([...sortedOf(values)], values.toSorted((a, b) => a - b));
  })));

Deno.test("distancesFrom: gives the distances in order", () =>
  fc.assert(
    fc.property(numbers, fc.double({ min: -1e6, max: 1e6, noNaN: true }), (values, from) => {
      const expected = values.map((value) => Math.abs(value - from)).sort((a, b) => a - b);
      assertEquals([...distancesFrom(sortedOf(values), from)], expected);
    }),
  ));

Deno.test("addTo, takeFrom: keep the numbers in order", () =>
  fc.assert(fc.property(numbers, fc.nat(), (values, place) => {
    const sorted: number[] = [];
    for (const value of values) addTo(sorted, value);
    assertEquals(sorted, values.toSorted((a, b) => a - b));
    if (values.length === 0) return;
    const gone = place % values.length;
    takeFrom(sorted, values[gone]);
    assertEquals(sorted, values.toSpliced(gone, 1).sort((a, b) => a - b));
  })));
