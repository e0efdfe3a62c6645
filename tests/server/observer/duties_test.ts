import { assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { doDueDuties, type DutyServices } from "../../../server/observer/duties.ts";
import { queueSteps } from "../../../server/observer/outbox.ts";
import type { Outlet } from "../../../server/observer/outlets/outlet.ts";
import { event } from "./events.ts";
import { failOnce, outletOf, runWell, START, withWorld, type World } from "./world.ts";
import { withReceiver } from "./receiver.ts";

/** What duties need, with the records and the clock of a world, and what they say. */
function dutiesIn({ records, now }: World, more: Partial<DutyServices> = {}) {
  const events: string[] = [];
  const services: DutyServices = {
    records,
    now,
    access: { backend: null!, pausedUntil: () => 0, clock: null },
    outlets: [],
    origin: "https://docket.example.com",
    heartbeatUrl: null,
    homeDomains: [],
    onEvent: (_level, message, reason) => void events.push(`${message}: ${reason}`),
    ...more,
  };
  return { events, doDuties: () => doDueDuties(services) };
}

Deno.test("doDueDuties: repeats sent incidents, and the heartbeat each minute while polls go on", () =>
  withReceiver(() => new Response(), (origin, received) =>
    withWorld([1, 2], async (world) => {
      for (const id of [1, 2]) runWell(world, id, START - 5 * HOUR, 5);
      await world.records.watches.change(2, { mutedUntil: START + 9 * HOUR }, START);
      await world.until(START + HOUR / 2);
      const repeated: string[] = [];
      const toOutlet = (name: string): Outlet => ({
        ...outletOf(name),
        repeat(events) {
          for (const { type, data: { incident: { code }, schedule } } of events) {
            repeated.push(`${name} ${type} ${schedule?.id} ${code}`);
          }
          return Promise.resolve();
        },
      });
      // The second was sent nothing, so it is sent nothing again.
      const outlets = ["webhook", "alertmanager"].map(toOutlet);
      const { doDuties } = dutiesIn(world, { outlets, heartbeatUrl: `${origin}/beat` });
      for (let again = 0; again < 2; again++) await doDuties();
      assertEquals(repeated, ["webhook incident.opened 1 overdue"]);
      // For a while its end is repeated, too: a repeat may have come after the first message of it.
      await world.until(START + 40 * MINUTE);
      world.run(1, START + 40 * MINUTE);
      await world.poll();
      for (const minutes of [41, 56, 57]) {
        await world.until(START + minutes * MINUTE);
        await doDuties();
      }
      assertEquals(repeated.slice(1), Array(2).fill("webhook incident.resolved 1 overdue"));
      const before = received.length;
      for (let at = START + HOUR; at < START + 63 * MINUTE; at += 1000) {
        world.sleepUntil(at);
        // Two instances.
        for (let instance = 0; instance < 2; instance++) await doDuties();
      }
      assertEquals(received.length - before, 3);
      // The watch has waited for an hour: the observer does not do its work.
      world.sleepUntil(START + 2 * HOUR);
      await doDuties();
      assertEquals(received.length - before, 3);
    })));

Deno.test("doDueDuties: resolves what is unwatched, each alone, and gives up what nobody sends", () =>
  withWorld([1, 2, 3], async (world) => {
    const { records: { incidents, messages, ...records } } = world;
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
    const own = [...outlets.slice(1), outletOf("webhook")];
    const { events, doDuties } = dutiesIn(world, { outlets: own });
    await doDuties();
    assertEquals(await open(second), []);
    assertEquals((await open(3)).length, 1, "it is watched");
    assertEquals(events, ["Incidents of an unwatched schedule could not be resolved: no answer"]);
    Object.assign(incidents, { open });
    const givenUp = async () => (await messages.list({ state: "given-up", limit: 9 })).items;
    // For two days, another instance may still have it.
    world.sleepUntil(world.now() + 48 * HOUR - 2 * MINUTE);
    await doDuties();
    assertEquals(await givenUp(), []);
    world.sleepUntil(world.now() + HOUR);
    for (let again = 0; again < 2; again++) await doDuties();
    const reason = "The channel is no longer set up";
    const said = events.filter((each) => each.startsWith("Deliveries"));
    assertEquals(said, [`Deliveries by pager were given up: ${reason}`]);
    const lost = (await givenUp()).map(({ outlet, error }) => `${outlet}: ${error}`);
    assertEquals(lost, [`pager: ${reason}`]);
    const counted = (await records.counters.list()).find(({ outlet }) => outlet === "pager");
    assertEquals([counted?.outcome, counted?.count], ["given_up", 1]);
  }));

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
