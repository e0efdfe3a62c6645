import { assertEquals } from "@std/assert";
import { HOUR } from "../../../lib/time_units.ts";
import { continuesDay, isLoneMiss } from "../../../lib/judgement/seen_kinds.ts";

/** Slots with these hours between them, and which of them were met. */
function slotsEvery(hours: number, met: readonly number[]) {
  const slots = Array.from({ length: 5 }, (_, slot) => slot * hours * HOUR);
  const locals = Float64Array.from(slots);
  return { slots, locals, runOf: new Map(met.map((slot, run) => [slot, run])) };
}

Deno.test("isLoneMiss: runs met the slots before and after, less than half a day apart", () => {
  const between = (hours: number, met: readonly number[]) => isLoneMiss(2, slotsEvery(hours, met));
  assertEquals(
    [between(1, [1, 3]), between(5, [1, 3]), between(6, [1, 3]), between(8, [1, 3])],
    [true, true, false, false],
  );
  assertEquals([between(1, [1]), between(1, [3]), between(1, [0, 4])], [false, false, false]);
});

Deno.test("continuesDay: a run met the slot before, at most two hours earlier on the same day", () => {
  const after = (hours: number, slot: number, met: readonly number[]) =>
    continuesDay(slot, slotsEvery(hours, met));
  assertEquals([after(2, 2, [1]), after(2, 2, [0, 3]), after(3, 2, [1])], [true, false, false]);
  const slots = [22 * HOUR, 24 * HOUR, 26 * HOUR];
  const runOf = new Map([[0, 0], [1, 1]]);
  const overMidnight = { slots, locals: Float64Array.from(slots), runOf };
  assertEquals([1, 2].map((slot) => continuesDay(slot, overMidnight)), [false, true]);
});
