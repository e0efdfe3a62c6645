import { assertEquals } from "@std/assert";
import { emptyZeros, updateZeros } from "../../../../lib/judgement/content/zeros.ts";

/** The runs that are reported, of runs with (1) and without (0) content. */
function reported(values: readonly number[]): number[] {
  const memory = emptyZeros();
  return values.flatMap((value, id) => {
    updateZeros(memory, { id, time: id, value }, { few: 8, many: 24 });
    return memory.streak?.isReported ? [id] : [];
  });
}

const filled = (count: number) => Array<number>(count).fill(1);
/** Every n-th run is empty. */
const everyNth = (n: number, count: number) =>
  Array.from({ length: count }, (_, at) => +(at % n > 0));

Deno.test("updateZeros: the first run without content is reported, and the streak until content is back", () => {
  assertEquals(reported([...filled(30), 0, 0, 1, 1]), [30, 31]);
});

Deno.test("updateZeros: with few runs before, two in a row are reported, with fewer than 8 none", () => {
  assertEquals(reported([...filled(8), 0, 0, 0]), [9, 10]);
  assertEquals(reported([...filled(7), 0, 0, 0]), []);
  assertEquals([23, 24].map((count) => reported([...filled(count), 0])), [[], [24]]);
});

Deno.test("updateZeros: the first three times are reported, later ones only as long streaks", () => {
  const once = [...filled(300), 0];
  assertEquals(reported([...once, ...once, ...once, ...once]), [300, 601, 902]);
  const fourth = [...once, ...once, ...once, ...filled(300), 0, 0];
  assertEquals(reported(fourth).slice(3), [1204]);
});

Deno.test("updateZeros: where every fifth report is empty, only a long streak is reported", () => {
  assertEquals(reported(everyNth(5, 200)), []);
  assertEquals(reported([...everyNth(5, 200), 0, 0, 0, 0, 0, 0]), [204, 205]);
});
