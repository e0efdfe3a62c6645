import { assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { createOutletRegistry } from "../../../server/observer/outlet_registry.ts";
import { queueUnsent } from "../../../server/observer/queue_unsent.ts";
import { registeredOutlets } from "../../../server/observer/routing.ts";
import type { Outlet } from "../../../server/observer/outlets/outlet.ts";
import { sql } from "../../../server/store/database/sql.ts";
import { failOnce, outletOf, START, withWorld, type World } from "./world.ts";

const MAIL = outletOf("mail");

/** Lets a process that has outlets say so, and any do what follows. */
async function refresh(
  { services, now, sleepUntil }: World,
  ...outlets: readonly Outlet[]
): Promise<void> {
  await createOutletRegistry({ ...services, outlets, now }).refresh();
  sleepUntil(now() + 2000);
  await queueUnsent(services, now());
}

/** What was queued for mail and its receivers before, oldest first. */
async function queued(world: World): Promise<string[]> {
  const { items } = await world.records.messages.list({ limit: 100 });
  const mails = items.filter(({ outlet }) => outlet.startsWith("mail"));
  return mails.toReversed().map(({ event, incidentId }) =>
    `${JSON.parse(event).type} ${incidentId!.split("-")[0]}`
  );
}

async function names({ records }: World): Promise<string[]> {
  return (await registeredOutlets(records)).map(({ name }) => name);
}

Deno.test("createOutletRegistry: an outlet that is newly set is sent the open incidents once", () =>
  withWorld([1, 2], async (world) => {
    await failOnce(world, [1, 2]);
    world.run(2, START + MINUTE);
    await world.poll();
    const another = { ...MAIL, receiver: "another" };
    // Two processes at once; then two receivers of one name, each in a process of its own.
    for (const [count, outlets] of [[1, [MAIL, MAIL]], [2, [another, MAIL]]] as const) {
      await world.observer.sendDue(MAIL);
      for (let minute = 0; minute < 15; minute++) {
        await Promise.all(outlets.map((outlet) => refresh(world, outlet)));
        assertEquals(await queued(world), Array(count).fill("incident.opened 1"));
        world.sleepUntil(world.now() + MINUTE);
      }
    }
  }));

Deno.test("createOutletRegistry: a new address gets no end of what an earlier one was sent", () =>
  withWorld([1], async (world) => {
    await refresh(world, MAIL);
    await failOnce(world, [1]);
    await world.observer.sendDue(MAIL);
    await world.records.watches.change(1, { mutedUntil: START + HOUR }, world.now());
    await refresh(world, { ...MAIL, receiver: "another" });
    world.run(1, START + HOUR / 2);
    for (let minute = 4; minute <= 63; minute++) {
      await world.until(START + minute * MINUTE);
      await refresh(world, { ...MAIL, receiver: "another" });
    }
    assertEquals(world.notified().at(-1), "resolved failing 1");
    assertEquals(await queued(world), ["incident.opened 1"]);
  }));

Deno.test("registeredOutlets: an outlet of any process is sent changes, and what it missed when back", () =>
  withWorld([1, 2, 3], async (world) => {
    await refresh(world, MAIL);
    await failOnce(world, [1, 2, 3]);
    const opened = [1, 2, 3].map((id) => `incident.opened ${id}`);
    assertEquals((await queued(world)).toSorted(), opened);
    await world.act("resolved", { of: 3 });
    // A process that has no such outlet forgets it only when nobody else has it.
    await world.until(START + 9 * MINUTE);
    assertEquals(await names(world), ["mail", "webhook"]);
    await world.until(START + 12 * MINUTE);
    await refresh(world);
    assertEquals(await names(world), ["webhook"]);
    world.run(2, START + 12 * MINUTE);
    await world.records.polls.makeDue(2, world.now());
    await world.until(START + HOUR / 2);
    for (const kind of ["reopened", "resolved"] as const) await world.act(kind, { of: 3 });
    assertEquals((await queued(world)).slice(3), ["incident.resolved 3"]);
    // When it is back, it is sent what ended or passed meanwhile, but no end twice.
    const [{ id }] = await world.records.incidents.open(1);
    await world.database.write(sql`UPDATE incidents SET said = 'over',
      notified = ${world.now()} WHERE id = ${id}`);
    await refresh(world, MAIL);
    const ends = (await queued(world)).slice(4);
    assertEquals(ends.toSorted(), ["incident.passed 1", "incident.resolved 2"]);
    // That the gap is closed then is sent to nobody.
    await world.database.write(sql`UPDATE incidents SET code = 'missed',
      resolved = ${world.now()} WHERE id = ${id}`);
    world.sleepUntil(START + HOUR);
    await refresh(world, MAIL);
    assertEquals((await queued(world)).length, 6);
    // While no process runs, the outlets of the last ones stay.
    world.sleepUntil(START + 3 * HOUR);
    assertEquals(await names(world), ["mail"]);
    await refresh(world);
    assertEquals(await names(world), []);
  }));

Deno.test("sendAgain: what an earlier receiver was sent is sent to the present one", () =>
  withWorld([1], async (world) => {
    const { observer, records: { messages } } = world;
    await observer.share();
    await failOnce(world, [1]);
    await refresh(world, { ...outletOf("webhook"), receiver: "another" });
    // However long polls are under way.
    world.sleepUntil(world.now() + MINUTE);
    await observer.sendDue();
    const { items } = await messages.list({ limit: 9 });
    assertEquals(items.map(({ outlet }) => outlet), ["webhook", "webhook (earlier address)"]);
    await messages.sendAgain(items[1].id, world.now());
    await observer.sendDue();
    assertEquals(world.notified(), Array(3).fill("opened failing 1"));
  }));
