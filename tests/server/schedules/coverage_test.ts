import { assertEquals } from "@std/assert";
import { describeSearch, idRanges } from "../../../server/schedules/coverage.ts";

Deno.test("idRanges: neighbours as a range, a single id alone", () => {
  assertEquals(idRanges([]), "");
  assertEquals(idRanges([7]), "7");
  assertEquals(idRanges([1, 2, 3, 5, 7, 8]), "1-3, 5, 7-8");
});

Deno.test("idRanges: says that it leaves out ranges, or that the ids are not all", () => {
  const even = Array.from({ length: 1000 }, (_, at) => 2 * at);
  assertEquals(idRanges(even).split(", ").at(-1), "and more");
  const cut = Array.from({ length: 1001 }, (_, at) => at);
  assertEquals([idRanges(cut.slice(1)), idRanges(cut)], ["1-1000", "0-1000, and more"]);
});

Deno.test("describeSearch: counts each kind of answer that there was, and says how far it is", () => {
  const ended = Date.parse("2026-01-05T06:00:00Z");
  const answers = { exists: 2, "never-ran": 0, missing: 8, forbidden: 0, failed: 0 };
  const search = { from: 1, to: 10, next: 11, started: ended, ended, answers, answersEmpty: false };
  const said = (more: object = {}) =>
    describeSearch({ ...search, ...more } as Parameters<typeof describeSearch>[0], "UTC");
  const range = "ids 1 to 10 checked on 2026-01-05";
  assertEquals(said(), `${range}: 2 have runs, 8 don't exist`);
  assertEquals(said({ next: 5 }), `${range}: up to 4 so far, 2 have runs, 8 don't exist`);
  const none = { ...answers, exists: 0, missing: 0 };
  assertEquals(said({ next: 1, answers: none }), `${range}: none so far`);
});
