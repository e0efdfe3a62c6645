import { assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { queueSteps } from "../../../server/observer/outbox.ts";
import type { Outlet } from "../../../server/observer/outlets/outlet.ts";
import { event } from "./events.ts";
import { failOnce, outletOf, runWell, START, watchUntil, withWorld } from "./world.ts";
import { withReceiver } from "./receiver.ts";

Deno.test("doDueDuties: repeats sent incidents, and the heartbeat each minute while polls go on", () =>
  withReceiver(() => new Response(), (origin, received) => {
    const repeated: string[] = [];
    const outlet: Outlet = {
      ...outletOf("alertmanager"),
      repeat(events) {
        for (const { type, data: { incident: { code }, schedule } } of events) {
          repeated.push(`${type} ${schedule?.id} ${code}`);
        }
        return Promise.resolve();
      },
    };
    return withWorld([1, 2, 3], async (world) => {
      const { observer, sleepUntil, records } = world;
      for (const id of [1, 2, 3]) runWell(world, id, START - 5 * HOUR, 5);
      // It was sent nothing of the second, and the owner's channel alone was sent the third.
      await records.watches.change(2, { mutedUntil: START + 9 * HOUR }, START);
      await world.own("Finance", [3]);
      await watchUntil(world, START + 40 * MINUTE);
      assertEquals([...new Set(repeated.splice(0))], ["incident.opened 1 overdue"]);
      // For 15 minutes its end is repeated, too: a repeat may have come after the first message of it.
      world.run(1, START + 39 * MINUTE);
      await world.poll();
      await watchUntil(world, START + 58 * MINUTE);
      assertEquals(repeated, Array(16).fill("incident.resolved 1 overdue"));
      const before = received.length;
      for (let at = START + HOUR; at < START + 63 * MINUTE; at += 1000) {
        sleepUntil(at);
        await observer.doDuties();
      }
      assertEquals(received.length - before, 3);
      // The watch has waited for an hour: the observer does not do its work.
      sleepUntil(START + 2 * HOUR);
      await observer.doDuties();
      assertEquals(received.length - before, 3);
    }, { outlets: [outlet], heartbeatUrl: `${origin}/beat` });
  }));

Deno.test("doDueDuties: resolves what is unwatched, each alone, and gives up what nobody sends", () =>
  withWorld([1, 2, 3], async (world) => {
    const { logged, observer: { doDuties }, records: { incidents, messages, ...records } } = world;
    await failOnce(world, [1, 2, 3]);
    const outlets = ["pager", "mail"].map((name) => outletOf(name));
    await records.commit(queueSteps(event(), outlets, { incidentId: "x", now: world.now() }));
    for (const id of [1, 2]) await records.watches.remove(id);
    world.sleepUntil(world.now() + MINUTE);
    const [first, second] = await incidents.unwatched();
    const { open } = incidents;
    Object.assign(incidents, {
      open: (id: number) => id === first ? Promise.reject(new Error("no answer")) : open(id),
    });
    await doDuties();
    assertEquals(await open(second), []);
    assertEquals((await open(3)).length, 1, "it is watched");
    const unresolved = "warn Incidents of an unwatched schedule could not be resolved: no answer";
    assertEquals(logged, [unresolved]);
    Object.assign(incidents, { open });
    const givenUp = async () => (await messages.list({ state: "given-up", limit: 9 })).items;
    // For two days, another instance may still have it.
    world.sleepUntil(world.now() + 48 * HOUR - 2 * MINUTE);
    await doDuties();
    assertEquals(await givenUp(), []);
    world.sleepUntil(world.now() + HOUR);
    for (let again = 0; again < 2; again++) await doDuties();
    const reason = "The channel is no longer set up";
    assertEquals(logged.slice(1), [`warn Deliveries by pager were given up: ${reason}`]);
    const lost = (await givenUp()).map(({ outlet, error }) => `${outlet}: ${error}`);
    assertEquals(lost, [`pager: ${reason}`]);
    const counted = (await records.counters.list()).find(({ outlet }) => outlet === "pager");
    assertEquals([counted?.outcome, counted?.count], ["given_up", 1]);
  }, { outlets: ["mail", "webhook"].map((name) => outletOf(name)) }));

Deno.test("doDueDuties: after the clock was put back, everything goes on at once", () =>
  withWorld([1, 2], async (world) => {
    const { polls } = world.records;
    for (const id of [1, 2]) runWell(world, id, START - 30 * HOUR, 30);
    // The machine began with its local time as UTC.
    await world.until(START + 13 * HOUR + 10 * MINUTE);
    await polls.makeDue(2, world.now());
    await polls.claim("killed", world.now(), world.now() + 12_000);
    const before = world.sent.length;
    world.sleepUntil(START);
    await world.until(START + 10 * MINUTE);
    const minutes = world.sent.map(({ at }) => Math.floor((at - START) / MINUTE));
    const sent = world.notified().map((each, at) => `${each}, minute ${minutes[at]}`).slice(before);
    assertEquals(sent.sort(), [
      "opened overdue 1, minute 5",
      "opened overdue 2, minute 5",
      "resolved overdue 1, minute 0",
      "resolved overdue 2, minute 0",
    ]);
  }));
