import { assert, assertEquals } from "@std/assert";
import { createLookups } from "../../../../server/store/sqlite/trigrams.ts";
import { toSearchPlan } from "../../../../server/store/search/validate.ts";

const planOf = (...value: string[]) =>
  toSearchPlan({ filters: [{ field: "name", operator: "LIKE", value }] }, {}).plan;

const ALL = 100_000;
const DATA = { all: ALL, version: "1" };

/** Counts trigrams as if they were there so often. */
function counterOf(often: Readonly<Record<string, number>>) {
  const asked: string[] = [];
  const count = (queries: readonly string[], most: number) => {
    const trigrams = queries.map((query) => /"(...)"/.exec(query)![1]);
    asked.push(...trigrams);
    return Promise.resolve(trigrams.map((trigram) => Math.min(often[trigram], most)));
  };
  return { asked, count };
}

Deno.test("createLookups: takes the rarest trigram, and others only where they leave out enough", async () => {
  const often = { abc: 9000, bcd: 5000, cde: 5000, def: 400, efg: 900, xyz: 3, yzz: 2000 };
  const lookup = await createLookups()(planOf("abcdefg", "xyzz"), DATA, counterOf(often).count);
  const name = (trigram: string) => `{name_folded} : ("${trigram}")`;
  // Of the others only "abc" has no character of "def".
  assertEquals(lookup, {
    query: `(${name("def")} AND ${name("abc")} OR ${name("xyz")})`,
    rows: 400 * 9000 / ALL + 3,
    entries: 9403,
  });
});

Deno.test("createLookups: counts each trigram once while the data is the same", async () => {
  const often = { abc: 7, bcd: 8, cde: 9 };
  const { asked, count } = counterOf(often);
  const lookupOf = createLookups();
  assertEquals((await lookupOf(planOf("abcd"), DATA, count))?.rows, 7);
  await lookupOf(planOf("bcde"), DATA, count);
  assertEquals(asked, ["abc", "bcd", "cde"]);
  // As many rows as before, but others.
  Object.assign(often, { abc: 9000, bcd: 9000 });
  const lookup = await lookupOf(planOf("abcd"), { ...DATA, version: "2" }, count);
  assertEquals([asked.slice(3), lookup?.rows], [["abc", "bcd"], 9000]);
});

Deno.test("createLookups: looks at some of the trigrams of a long text", async () => {
  const text = Array.from({ length: 500 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join("");
  const { asked, count } = counterOf({});
  await createLookups()(planOf(text), DATA, count);
  assert(asked.length > 5 && asked.length <= 10, `${asked}`);
});

Deno.test("createLookups: there is none for short texts", async () => {
  const { count } = counterOf({});
  assertEquals(await createLookups()(planOf("ab"), DATA, count), undefined);
});
