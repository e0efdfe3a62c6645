import { assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { continuesDay, isLoneMiss, YoungKinds } from "../../../lib/judgement/seen_kinds.ts";

const THURSDAY = Date.UTC(2026, 0, 8);

/** Slots with these hours between them, and which of them were met. */
function slotsEvery(hours: number, met: readonly number[]) {
  const slots = Array.from({ length: 5 }, (_, slot) => slot * hours * HOUR);
  const locals = Float64Array.from(slots);
  return { slots, locals, runOf: new Map(met.map((slot, run) => [slot, run])) };
}

/** What shows that a slot without a run was due, after slots that were met, in UTC. */
function evidenceOf(unmet: number, ...met: number[]) {
  const kinds = new YoungKinds(undefined, met[0]);
  for (const at of met) kinds.addMet(at, at);
  const slot = { at: unmet };
  kinds.addUnmet(slot, 0, { slots: [unmet], locals: Float64Array.of(unmet), runOf: new Map() });
  return kinds.evidenceOf(slot, unmet + HOUR);
}

Deno.test("YoungKinds: earlier days show that a slot was due, unless it may be on a weekend somewhere", () => {
  const evidenceOn = (days: number, hours: number) =>
    evidenceOf(THURSDAY + days * DAY + hours * HOUR, THURSDAY + hours * HOUR);
  // Saturday begins at 14 hours from UTC, and Sunday ends at -12 hours.
  assertEquals([evidenceOn(1, 9.5), evidenceOn(1, 10)], ["earlier", "none"]);
  assertEquals([evidenceOn(4, 11.5), evidenceOn(4, 12)], ["none", "earlier"]);
});

Deno.test("YoungKinds: minutes outside those met in the first or the last hour of a day show nothing", () => {
  const at = (minute: number) => THURSDAY + minute * MINUTE;
  const evidenceAt = (minute: number) => evidenceOf(at(minute) + DAY, at(10), at(20), at(40));
  assertEquals([5, 10, 40, 45].map(evidenceAt), ["none", "earlier", "earlier", "none"]);
});

Deno.test("YoungKinds: a schedule is young for three weeks, also if its first run is no longer judged", () => {
  const youngUntil = (known: number | null, judged: number) =>
    new YoungKinds({ firstStart: known, kinds: [] }, judged).youngUntil / DAY;
  assertEquals([youngUntil(0, 50 * DAY), youngUntil(null, 5 * DAY)], [21, 26]);
});

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
