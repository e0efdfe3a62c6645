import { assertEquals } from "@std/assert";
import { emptyDrop, updateDrop } from "../../../../lib/judgement/content/drops.ts";

/** The runs at which a drop is reported, with how many recipients before and after. */
function dropsIn(counts: readonly number[]): [run: number, before: number, after: number][] {
  const memory = emptyDrop();
  const drops: [number, number, number][] = [];
  for (const [id, count] of counts.entries()) {
    const known = memory.drop;
    updateDrop(memory, { id, time: id, count });
    const { drop } = memory;
    if (drop && drop !== known) drops.push([drop.run, drop.before, drop.after]);
  }
  return drops;
}

const runs = (count: number, recipients: number) => Array<number>(count).fill(recipients);

Deno.test("updateDrop: half as many are a drop, once", () => {
  assertEquals(dropsIn([...runs(20, 12), ...runs(30, 6)]), [[20, 12, 6]]);
  assertEquals(dropsIn([...runs(20, 12), ...runs(30, 7)]), []);
  // Many people at first, as in a trial, are not the usual ones.
  assertEquals(dropsIn([40, ...runs(30, 5)]), []);
});

Deno.test("updateDrop: people who leave one by one are a drop when half have left", () => {
  assertEquals(dropsIn([...runs(20, 8), 7, 6, 5, 4, 3]), [[23, 8, 4]]);
  const slowly = [20, 18, 16, 14, 12, 10].flatMap((count) => runs(40, count));
  assertEquals(dropsIn(slowly), [[200, 20, 10]]);
});

Deno.test("updateDrop: a drop that ended can come again", () => {
  assertEquals(dropsIn([...runs(20, 12), 3, ...runs(20, 12), 3]).map(([run]) => run), [20, 41]);
});

Deno.test("updateDrop: a shorter list on every seventh run is usual", () => {
  const weekly = Array.from({ length: 140 }, (_, at) => at % 7 === 0 ? 4 : 20);
  assertEquals(dropsIn(weekly), []);
});
