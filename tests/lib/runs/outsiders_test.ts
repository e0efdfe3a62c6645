import { assertEquals } from "@std/assert";
import { DAY } from "../../../lib/time_units.ts";
import { type EarlierRuns, outsidersAmong } from "../../../lib/runs/outsiders.ts";
import type { Recipient } from "../../../lib/types.ts";

interface Options {
  readonly inside?: readonly string[];
  readonly before?: EarlierRuns;
}

const inside = ["ada@example.com", "bo@example.com"];
const eve = [...inside, "eve@rival.test"];
const days = <List>(count: number, list: List) => Array<List>(count).fill(list);
const toRecipients = (addresses: readonly string[]) =>
  addresses.map((emailAddress): Recipient => ({ emailAddress }));

/** Whom runs a day apart list outside. */
function outsiders(lists: readonly (readonly Recipient[])[], options: Options = {}) {
  const good = lists.map((recipients, id) => ({
    run: { id, recipients },
    time: id * DAY,
    ms: 0,
    meaning: "good" as const,
  }));
  return outsidersAmong(good, options);
}

/** The domain of each, and the first of the newest runs with them. */
function outside(
  lists: readonly (readonly string[])[],
  options?: Options,
): [domain: string, run: number][] {
  return outsiders(lists.map(toRecipients), options).map(({ domain, run }) => [domain, run]);
}

Deno.test("outsidersAmong: another domain is outside from the fourth run on, while it is listed", () => {
  assertEquals(outside([...days(3, inside), eve]), [["rival.test", 3]]);
  assertEquals(outside([...days(2, inside), eve, eve]), []);
  assertEquals(outside([...days(3, inside), ...days(300, eve)]), [["rival.test", 3]]);
  assertEquals(outside([...days(3, inside), eve, inside]), []);
  // Who was taken off and comes back is outside again, since then.
  assertEquals(outside([...days(3, inside), eve, inside, eve]), [["rival.test", 5]]);
});

Deno.test("outsidersAmong: everybody at a new domain is outside, nobody at one from the start", () => {
  const both = [...eve, "dan@rival.test"];
  assertEquals(outside([...days(3, inside), eve, both]), [["rival.test", 3], ["rival.test", 4]]);
  assertEquals(outside([...days(3, inside), [...eve, "Eve@rival.test"]]), [["rival.test", 3]]);
  assertEquals(outside([...days(3, eve), both]), []);
  const rivalFirst = eve.toReversed();
  assertEquals(outside([...days(4, rivalFirst), [...eve, "x@mail.example.com"]]), []);
  // At hosts where anybody can have an address, each is new by itself.
  const ann = [...inside, "Ann@gmail.com"];
  assertEquals(outside([...days(4, ann), [...inside, "ann@gmail.com"]]), []);
  assertEquals(outside([...days(4, ann), [...ann, "zed@gmail.com"]]), [["gmail.com", 4]]);
});

Deno.test("outsidersAmong: the house's domains are inside, by default that of most recipients", () => {
  const lists = [...days(3, ["ada@rival.test"]), ...days(9, ["ada@rival.test", "bo@example.com"])];
  assertEquals(outside(lists), [["example.com", 3]]);
  assertEquals(outside(lists, { inside: ["Example.com"] }), []);
  assertEquals(outside(days(9, []), { inside: ["example.com"] }), []);
});

Deno.test("outsidersAmong: runs before those that are judged show who was there from the start", () => {
  const recipients = (first: number) => [
    { recipient: { emailAddress: "ada@example.com" }, first: -100 * DAY },
    { recipient: { emailAddress: "eve@rival.test" }, first },
  ];
  const before = (first: number) => ({ firstStart: -100 * DAY, recipients: recipients(first) });
  assertEquals(outside(days(9, eve), { before: before(-98 * DAY) }), []);
  assertEquals(outside(days(9, eve), { before: before(-97 * DAY) }), [["rival.test", 0]]);
  const nobody = { ...before(0), recipients: [] };
  assertEquals(outside([inside, eve], { before: nobody }), [["rival.test", 1]]);
});

Deno.test("outsidersAmong: a look-alike says which inside domain it looks like", () => {
  const alike = ["ada@examp1e.com", "ada@\u0435xample.com"];
  const [outsider, other] = outsiders([...days(3, inside), alike].map(toRecipients));
  assertEquals([outsider.resembles, other.resembles], ["example.com", "example.com"]);
  assertEquals(outsider.since, 3 * DAY);
  assertEquals(outsider.digests.join().includes("@"), false);
});

Deno.test("outsidersAmong: with and without a user id, an address is one person", () => {
  const eves = [8, 0, 9].map((userId) => [{ userId, emailAddress: "eve@rival.test" }]);
  const found = [eves.slice(0, 2), eves].map((later) =>
    outsiders([...days(4, toRecipients(inside)), ...later], { inside: ["example.com"] })
      .map(({ run, digests }) => [run, digests.length])
  );
  // Two people have the address of the last.
  assertEquals(found, [[[4, 2]], [[6, 1]]]);
});
