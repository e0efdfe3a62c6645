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
    everyMs: MINUTE,
    onEvent: (_level, message, reason) => void events.push(`${message}: ${reason}`),
    ...more,
  };
  return { events, doDuties: () => doDueDuties(services) };
}

Deno.test("doDueDuties: several instances send one heartbeat a minute, and none if polls are stuck", () =>
  withReceiver(() => new Response(), (origin, received) =>
    withWorld([1], async (world) => {
      const { doDuties } = dutiesIn(world, { heartbeatUrl: `${origin}/beat` });
      for (let at = START; at < START + 3 * MINUTE; at += 1000) {
        world.sleepUntil(at);
        for (let instance = 0; instance < 2; instance++) await doDuties();
      }
      assertEquals(received.length, 3);
      // The watch has waited for an hour: the observer does not do its work.
      world.sleepUntil(START + HOUR);
      await doDuties();
      assertEquals(received.length, 3);
    })));

Deno.test("doDueDuties: sent incidents are repeated while open and a little longer", () =>
  withWorld([1, 2], async (world) => {
    for (const id of [1, 2]) runWell(world, id, START - 5 * HOUR, 5);
    await world.records.watches.change(2, { mutedUntil: START + 9 * HOUR }, START);
    await world.until(START + HOUR / 2);
    const repeated: string[] = [];
    const toOutlet = (name: string): Outlet => ({
      ...outletOf(name),
      repeat(events) {
        repeated.push(
          ...events.map(({ type, data: { incident, schedule } }) =>
            `${name} ${type} ${schedule?.id} ${incident.code}`
          ),
        );
        return Promise.resolve();
      },
    });
    // The second was sent nothing, so it is sent nothing again.
    const outlets = ["webhook", "alertmanager"].map(toOutlet);
    const { doDuties } = dutiesIn(world, { outlets });
    for (let again = 0; again < 2; again++) await doDuties();
    assertEquals(repeated, ["webhook incident.opened 1 overdue"]);
    // For a while its end is repeated, too: a repeat may have come after the first message of it.
    await world.until(START + 40 * MINUTE);
    world.run(1, START + 40 * MINUTE);
    await world.records.polls.makeDue(1, world.now());
    for (const minutes of [41, 54, 58]) {
      await world.until(START + minutes * MINUTE);
      await doDuties();
    }
    assertEquals(repeated.slice(1), Array(2).fill("webhook incident.resolved 1 overdue"));
  }));

Deno.test("doDueDuties: resolves the incidents of unwatched schedules, even if those of one can't be", () =>
  withWorld([1, 2, 3], async (world) => {
    const { records } = world;
    await failOnce(world, [1, 2, 3]);
    for (const id of [1, 2]) await records.watches.remove(id);
    world.sleepUntil(world.now() + MINUTE);
    const [first, second] = await records.incidents.unwatched();
    const { open } = records.incidents;
    const { events, doDuties } = dutiesIn(world);
    Object.assign(records.incidents, {
      open: (id: number) => id === first ? Promise.reject(new Error("no answer")) : open(id),
    });
    await doDuties();
    assertEquals(await records.incidents.open(second), []);
    assertEquals((await records.incidents.open(3)).length, 1, "it is watched");
    assertEquals(events, ["Incidents of an unwatched schedule could not be resolved: no answer"]);
  }));

Deno.test("doDueDuties: gives up a removed outlet's messages in two days", () =>
  withWorld([1], async (world) => {
    const { records } = world;
    const outlets = ["webhook", "mail"].map((name) => outletOf(name));
    await records.commit(queueSteps(event(), outlets, { incidentId: "x", now: START }));
    const { events, doDuties } = dutiesIn(world, { outlets: outlets.slice(1) });
    const waiting = async () => (await records.messages.list({ state: "waiting", limit: 0 })).total;
    for (let hour = 0; hour < 48; hour++) {
      world.sleepUntil(START + hour * HOUR);
      await doDuties();
    }
    // Another instance may still have it.
    assertEquals([await waiting(), events.length], [2, 0]);
    world.sleepUntil(START + 48 * HOUR);
    for (let again = 0; again < 2; again++) await doDuties();
    const reason = "The channel is no longer set up";
    assertEquals(events, [`Deliveries by webhook were given up: ${reason}`]);
    const { items } = await records.messages.list({ state: "given-up", limit: 2 });
    assertEquals(items.map(({ outlet, error }) => [outlet, error]), [["webhook", reason]]);
    assertEquals(await waiting(), 1);
    assertEquals(await records.counters.list(), [
      { counted: "messages", outlet: "webhook", outcome: "given_up", count: 1 },
    ]);
  }));

Deno.test("doDueDuties: after the clock was put back, everything goes on at once", () =>
  withReceiver(() => new Response(), (origin, received) =>
    withWorld([1, 2], async (world) => {
      const { polls } = world.records;
      const { doDuties } = dutiesIn(world, { heartbeatUrl: `${origin}/beat` });
      for (const id of [1, 2]) runWell(world, id, START - 30 * HOUR, 30);
      // The machine began with its local time as UTC.
      world.sleepUntil(START + 13 * HOUR + 10 * MINUTE);
      await world.until(START + 13 * HOUR + 10 * MINUTE);
      await doDuties();
      await polls.makeDue(2, world.now());
      await polls.claim("killed", world.now(), world.now() + 12_000);
      const invented = world.sent.length;
      world.sleepUntil(START);
      await doDuties();
      assertEquals(received.length, 2);
      await world.until(START + 10 * MINUTE);
      const sent = world.sent.slice(invented).map(({ at, message: { event: { type, data } } }) =>
        `${type} ${data.schedule?.id} ${Math.floor((at - START) / MINUTE)}`
      );
      assertEquals(sent.sort(), [
        "incident.opened 1 5",
        "incident.opened 2 5",
        "incident.resolved 1 0",
        "incident.resolved 2 0",
      ]);
    })));
