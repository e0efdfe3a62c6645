import { assertEquals } from "@std/assert";
import { idRanges } from "../../../server/inventory/coverage.ts";

Deno.test("idRanges: neighbours as a range, a single id alone", () => {
  assertEquals(idRanges([]), "");
  assertEquals(idRanges([7]), "7");
  assertEquals(idRanges([1, 2, 3, 5, 7, 8]), "1-3, 5, 7-8");
});

Deno.test("idRanges: says how many ranges it leaves out", () => {
  const even = Array.from({ length: 1000 }, (_, at) => 2 * at);
  const shown = idRanges(even).split(", ");
  assertEquals(shown.at(-1), `and ${(1001 - shown.length).toLocaleString("en")} more`);
});
