import { assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { createOutletRegistry } from "../../../server/observer/queue_unsent.ts";
import { registeredOutlets } from "../../../server/observer/routes.ts";
import type { Outlet } from "../../../server/observer/outlets/outlet.ts";
import { failOnce, START, withWorld, type World } from "./world.ts";

const MAIL: Outlet = {
  name: "mail",
  groupOf: () => crypto.randomUUID(),
  collectMs: 5000,
  send: () => Promise.resolve(),
};

/** A process that has outlets. */
function processWith({ records, now }: World, ...outlets: readonly Outlet[]) {
  const origin = "https://docket.example.com";
  return createOutletRegistry({ records, outlets, origin, now });
}

/** What was queued for an outlet, oldest first. */
async function queuedFor(world: World, outlet: string): Promise<string[]> {
  const { items } = await world.records.messages.list({ outlet, limit: 100 });
  return items.toReversed().map(({ event, incidentId }) =>
    `${JSON.parse(event).type} ${incidentId!.split("-")[0]}`
  );
}

Deno.test("createOutletRegistry: an outlet that is newly set is sent the open incidents once", () =>
  withWorld([1, 2], async (world) => {
    await failOnce(world, [1, 2]);
    world.run(2, START + MINUTE);
    await world.records.polls.makeDue(2, world.now());
    await world.until(START + 2 * MINUTE);
    const before = world.now();
    for (let again = 0; again < 2; again++) {
      await processWith(world, MAIL).refresh();
      assertEquals((await world.records.service.get()).routesChanged, before);
      assertEquals(await queuedFor(world, "mail"), ["incident.opened 1"]);
      world.sleepUntil(world.now() + MINUTE);
    }
    const elsewhere = { ...MAIL, receiver: "another" };
    await processWith(world, elsewhere).refresh();
    assertEquals(await queuedFor(world, "mail"), ["incident.opened 1", "incident.opened 1"]);
  }));

Deno.test("createOutletRegistry: different receivers of one name get what is open once", () =>
  withWorld([1], async (world) => {
    await failOnce(world, [1]);
    const processes = ["one", "another"].map((receiver) =>
      processWith(world, { ...MAIL, receiver })
    );
    for (let minute = 0; minute < 15; minute++) {
      for (const process of processes) await process.refresh();
      world.sleepUntil(world.now() + MINUTE);
    }
    assertEquals(await queuedFor(world, "mail"), ["incident.opened 1", "incident.opened 1"]);
  }));

Deno.test("createOutletRegistry: two processes send open incidents once", () =>
  withWorld([1], async (world) => {
    await failOnce(world, [1]);
    await Promise.all([1, 2].map(() => processWith(world, MAIL).refresh()));
    assertEquals(await queuedFor(world, "mail"), ["incident.opened 1"]);
  }));

Deno.test("registeredOutlets: while no process runs, the outlets of the last ones stay", () =>
  withWorld([], async (world) => {
    await processWith(world, MAIL).refresh();
    world.sleepUntil(START + HOUR);
    const found = await registeredOutlets(world.records);
    assertEquals(found.map(({ name }) => name), ["mail"]);
    // One that has none removes it.
    await processWith(world).refresh();
    assertEquals(await registeredOutlets(world.records), []);
  }));

Deno.test("registeredOutlets: a change is queued for the outlets of any process, until none has them", () =>
  withWorld([1, 2], async (world) => {
    await processWith(world, MAIL).refresh();
    await failOnce(world, [1, 2]);
    assertEquals((await queuedFor(world, "mail")).toSorted(), [
      "incident.opened 1",
      "incident.opened 2",
    ]);
    const names = async () => (await registeredOutlets(world.records)).map(({ name }) => name);
    // A process that has no such outlet forgets it only when nobody else has it.
    await world.until(START + 9 * MINUTE);
    assertEquals(await names(), ["mail", "webhook"]);
    await world.until(START + 12 * MINUTE);
    await processWith(world).refresh();
    assertEquals(await names(), ["webhook"]);
    world.run(2, START + 12 * MINUTE);
    await world.records.polls.makeDue(2, world.now());
    await world.until(START + HOUR / 2);
    assertEquals((await queuedFor(world, "mail")).length, 2);
    // When it is back, it is sent what ended meanwhile.
    await processWith(world, MAIL).refresh();
    assertEquals((await queuedFor(world, "mail")).slice(2), ["incident.resolved 2"]);
  }));
