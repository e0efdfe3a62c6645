import { assert, assertEquals, assertRejects } from "@std/assert";
import { createWalks } from "../../../../server/store/postgres/walks.ts";

const ROWS = Array.from({ length: 10_000 }, (_, n) => `id ${n}`);

/** Walks over {@linkcode ROWS}, where a row's JSON is its id; counts what is asked of the database. */
function walksOverRows(mostAhead?: number) {
  const walks = createWalks(mostAhead);
  const reads: { readonly from: number; readonly count: number }[] = [];
  const plain: number[] = [];
  const readOn = (row: string, count: number) => {
    const from = ROWS.indexOf(row) + 1;
    reads.push({ from, count });
    return Promise.resolve(ROWS.slice(from, from + count));
  };
  async function page(offset: number, limit = 10, search = "all"): Promise<readonly string[]> {
    const ids = await walks.idsOf(search, { offset, limit }, readOn);
    if (!ids) plain.push(offset);
    const rows = ids ?? ROWS.slice(offset, offset + limit);
    walks.note(search, { offset, limit }, rows);
    return rows;
  }
  return { walks, page, reads, plain };
}

Deno.test("createWalks: reads on from the last page, ever more at once, and no row twice", async () => {
  const { page, reads, plain } = walksOverRows(1000);
  for (let offset = 0; offset <= ROWS.length; offset += 10) {
    assertEquals(await page(offset), ROWS.slice(offset, offset + 10));
  }
  assertEquals(plain, [0]);
  assertEquals(reads.slice(0, 4).map(({ from, count }) => [from, count]), [
    [10, 10],
    [20, 20],
    [40, 40],
    [80, 80],
  ]);
  assert(reads.length < 20, `${reads.length} reads`);
  assertEquals(reads.reduce((sum, { count }) => sum + Math.min(count, 1000), 0) < 12_000, true);
});

Deno.test("createWalks: pages that are asked for together are read together", async () => {
  const { page, reads, plain } = walksOverRows();
  await page(0);
  for (let round = 0; round < 5; round++) {
    const offsets = [10, 20, 30, 40].map((offset) => round * 40 + offset);
    const pages = await Promise.all(offsets.map((offset) => page(offset)));
    assertEquals(pages.flat(), ROWS.slice(offsets[0], offsets[0] + 40));
  }
  assertEquals(plain, [0]);
  assert(reads.length <= 7, `${reads.length} reads`);
});

Deno.test("createWalks: a jump, and another search or version, begins anew", async () => {
  const { page, plain } = walksOverRows();
  await page(0);
  assertEquals(await page(5000), ROWS.slice(5000, 5010));
  assertEquals(await page(10, 10, "other"), ROWS.slice(10, 20));
  assertEquals(plain, [0, 5000, 10]);
  // Both walks go on.
  assertEquals([await page(10), await page(5010)], [ROWS.slice(10, 20), ROWS.slice(5010, 5020)]);
  assertEquals(plain.length, 3);
});

Deno.test("createWalks: where reading fails, whoever waited for it reads", async () => {
  const { walks, page } = walksOverRows();
  await page(0);
  const failing = Promise.withResolvers<string[]>();
  const place = { offset: 10, limit: 10 };
  const failed = assertRejects(() => walks.idsOf("all", place, () => failing.promise), Error, "x");
  const waiting = page(20);
  failing.reject(new Error("x"));
  await failed;
  assertEquals(await waiting, ROWS.slice(20, 30));
});

Deno.test("createWalks: whoever leaves waits no longer for what another reads", async () => {
  const { walks, page } = walksOverRows();
  await page(0);
  const slow = Promise.withResolvers<string[]>();
  const place = { offset: 10, limit: 10 };
  const reading = walks.idsOf("all", place, () => slow.promise);
  const left = AbortSignal.abort(new Error("left"));
  await assertRejects(() => walks.idsOf("all", place, () => slow.promise, left), Error, "left");
  slow.resolve(ROWS.slice(10, 20));
  assertEquals(await reading, ROWS.slice(10, 20));
});

Deno.test("createWalks: what was walked longest ago is forgotten", async () => {
  const { page, plain } = walksOverRows();
  for (let n = 0; n < 51; n++) await page(0, 10, `search ${n}`);
  await page(10, 10, "search 50");
  assertEquals(plain.length, 51);
  await page(10, 10, "search 0");
  assertEquals(plain.length, 52);
});
