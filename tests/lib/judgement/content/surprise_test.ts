import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  likelyShare,
  medianOf,
  spreadAround,
  surpriseBits,
  tailShare,
} from "../../../../lib/judgement/content/surprise.ts";

Deno.test("surpriseBits: what the binomial distribution says of exactly so many", () =>
  fc.assert(fc.property(
    fc.integer({ min: 1, max: 20 }),
    fc.nat(20),
    fc.double({ min: 0.001, max: 0.999, noNaN: true }),
    (of, most, share) => {
      const shareOf = (count: number) => 2 ** -surpriseBits(count, of, share);
      // Pascal's triangle, row by row.
      let ways = [1];
      for (let row = 0; row < of; row++) {
        ways = [...ways, 0].map((way, at) => way + (ways[at - 1] ?? 0));
      }
      const count = Math.min(of, most);
      const expected = ways[count] * share ** count * (1 - share) ** (of - count);
      assertAlmostEquals(shareOf(count), expected, 1e-9);
    },
  )));

Deno.test("tailShare: as tables of Student's distribution with three degrees of freedom have it", () => {
  const table = [[0, 0.5], [0.978, 0.2], [1.638, 0.1], [2.353, 0.05], [5.841, 0.005]];
  for (const [deviations, share] of table) assertAlmostEquals(tailShare(deviations), share, 2e-4);
  assert(tailShare(1e9) > 0);
});

Deno.test("likelyShare: few seen show neither that none is, nor that all are", () => {
  const shares = [[0, 0], [0, 4], [4, 4], [1, 3]].map(([some, all]) => likelyShare(some, all));
  assertEquals(shares, [0.5, 0.1, 0.9, 0.375]);
});

Deno.test("medianOf, spreadAround: the middle, and how far numbers are from a level", () => {
  assertEquals([medianOf([5, 1, 3]), medianOf([4, 1]), medianOf([])], [3, 2.5, NaN]);
  assertAlmostEquals(spreadAround(10, [8, 11, 13]), 2 * 1.4826);
});
