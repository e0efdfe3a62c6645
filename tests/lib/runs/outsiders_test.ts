import { assertEquals } from "@std/assert";
import { DAY } from "../../../lib/time_units.ts";
import { emptyOutsiders, updateOutsiders } from "../../../lib/runs/outsiders.ts";

/** Runs a day apart, each to these addresses; gives the outsiders after each. */
function outsidersOf(runs: readonly (readonly string[])[], every = DAY): string[][] {
  const memory = emptyOutsiders();
  return runs.map((addresses, id) => {
    const recipients = addresses.map((emailAddress) => ({ emailAddress }));
    updateOutsiders(memory, { id, recipients }, (id + 1) * every);
    return memory.outsiders.map(({ domain }) => domain);
  });
}

const inside = ["ada@example.com", "bo@example.com"];
const days = (count: number, addresses: readonly string[] = inside) =>
  Array<readonly string[]>(count).fill(addresses);

Deno.test("updateOutsiders: with one domain, somebody else is new from the third run on", () => {
  const eve = [...inside, "eve@rival.test"];
  assertEquals(outsidersOf([...days(2), eve]).at(-1), ["rival.test"]);
  assertEquals(outsidersOf([...days(1), eve]).at(-1), []);
});

Deno.test("updateOutsiders: with several domains, from the eleventh run on", () => {
  const both = [...inside, "cy@partner.test"];
  assertEquals(outsidersOf([...days(9, both), [...both, "eve@rival.test"]]).at(-1), []);
  assertEquals(outsidersOf([...days(10, both), [...both, "eve@rival.test"]]).at(-1), [
    "rival.test",
  ]);
});

Deno.test("updateOutsiders: a recipient is new for 30 days, then known for a year after the last run", () => {
  const eve = [...inside, "eve@rival.test"];
  const seen = outsidersOf([...days(5), ...days(40, eve), ...days(300), eve]);
  assertEquals([seen[5], seen[34], seen[35], seen.at(-1)], [
    ["rival.test"],
    ["rival.test"],
    [],
    [],
  ]);
  assertEquals(outsidersOf([...days(5), ...days(40, eve), ...days(366), eve]).at(-1), [
    "rival.test",
  ]);
  // It stays new, also while nobody sends to it.
  const once = outsidersOf([...days(5), eve, ...days(30)]);
  assertEquals([once[34], once[35]], [["rival.test"], []]);
});

Deno.test("updateOutsiders: a second person at a domain that is new is new as well", () => {
  const first = [...inside, "eve@rival.test"];
  const seen = outsidersOf([...days(12), first, [...first, "dan@rival.test"]]);
  assertEquals(seen.slice(-2), [["rival.test"], ["rival.test", "rival.test"]]);
});

Deno.test("updateOutsiders: at private hosts, each address is new by itself", () => {
  const ann = [...inside, "ann@gmail.com"];
  const seen = outsidersOf([...days(12, ann), [...ann, "zed@gmail.com"]]);
  assertEquals(seen.slice(-2), [[], ["gmail.com"]]);
});

Deno.test("updateOutsiders: beyond a thousand domains, the one seen longest ago is forgotten", () => {
  const memory = emptyOutsiders();
  const many = Array.from({ length: 1000 }, (_, at) => ({ emailAddress: `ada@${at}.test` }));
  for (const [id, recipients] of [[{ emailAddress: "bo@old.test" }], many].entries()) {
    updateOutsiders(memory, { id, recipients }, (id + 1) * DAY);
  }
  assertEquals([Object.keys(memory.domains).length, "old.test" in memory.domains], [1000, false]);
});

Deno.test("updateOutsiders: a look-alike says which domain it looks like", () => {
  const memory = emptyOutsiders();
  for (const [id, addresses] of [...days(40), [...inside, "ada@examp1e.com"]].entries()) {
    const recipients = addresses.map((emailAddress) => ({ emailAddress }));
    updateOutsiders(memory, { id, recipients }, (id + 1) * DAY);
  }
  assertEquals(memory.outsiders.map(({ resembles, run }) => [resembles, run]), [[
    "example.com",
    40,
  ]]);
  assertEquals(JSON.stringify(memory).includes("@"), false);
});

Deno.test("updateOutsiders: external recipients with one user id are each new", () => {
  const at = (name: string, userId: number) => ({ userId, emailAddress: `${name}@rival.test` });
  for (const userId of [0, -1, 9]) {
    const memory = emptyOutsiders();
    const own = inside.map((emailAddress) => ({ emailAddress }));
    const run = (id: number, ...others: ReturnType<typeof at>[]) =>
      updateOutsiders(memory, { id, recipients: [...own, ...others] }, id * DAY);
    for (let id = 1; id < 6; id++) run(id);
    run(6, at("eve", userId), at("dan", userId));
    // Alone, one of them is the same as before.
    run(7, at("dan", userId));
    assertEquals(memory.outsiders.map(({ run }) => run), [6, 6], `user id ${userId}`);
  }
});
