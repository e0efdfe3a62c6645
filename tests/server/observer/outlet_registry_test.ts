import { assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { createOutletRegistry } from "../../../server/observer/outlet_registry.ts";
import { queueUnsent } from "../../../server/observer/queue_unsent.ts";
import { registeredOutlets } from "../../../server/observer/routing.ts";
import type { Outlet } from "../../../server/observer/outlets/outlet.ts";
import { failOnce, outletOf, START, watchUntil, withWorld, type World } from "./world.ts";

const MAIL = outletOf("mail");

/** Lets a process that has outlets say so, and any do what follows. */
async function refresh(
  { services, now }: World,
  ...outlets: readonly Outlet[]
): Promise<void> {
  await createOutletRegistry({ ...services, outlets, now }).refresh();
  await queueUnsent(services, now());
}

/** What was queued for mail and its receivers before, oldest first. */
async function queued(world: World): Promise<string[]> {
  const { items } = await world.records.messages.list({ limit: 100 });
  const mails = items.filter(({ outlet }) => outlet.startsWith("mail"));
  return mails.toReversed().map(({ event }) => JSON.parse(event).type);
}

Deno.test("createOutletRegistry: processes with one outlet queue once, for each of its addresses", () =>
  withWorld([1], async (world) => {
    await failOnce(world, [1]);
    const another = { ...MAIL, receiver: "another" };
    for (const [count, outlets] of [[1, [MAIL, MAIL]], [2, [another, MAIL]]] as const) {
      await world.observer.sendDue(MAIL);
      for (let minute = 0; minute < 15; minute++) {
        await Promise.all(outlets.map((outlet) => refresh(world, outlet)));
        assertEquals(await queued(world), Array(count).fill("incident.opened"));
        world.sleepUntil(world.now() + MINUTE);
      }
    }
  }));

Deno.test("registeredOutlets: those that any process had in the last ten minutes that one ran", () =>
  withWorld([], async (world) => {
    const names = async () => (await registeredOutlets(world.records)).map(({ name }) => name);
    await refresh(world, MAIL);
    await watchUntil(world, START + 9 * MINUTE);
    assertEquals(await names(), ["mail", "webhook"]);
    await watchUntil(world, START + 10 * MINUTE);
    assertEquals(await names(), ["webhook"]);
    await refresh(world, MAIL);
    world.sleepUntil(START + 3 * HOUR);
    assertEquals(await names(), ["mail", "webhook"]);
    await refresh(world);
    assertEquals(await names(), []);
  }));
