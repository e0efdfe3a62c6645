/** One instance of the observer: what it does at the same time, and its duties for all. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { BY_ADA } from "../../actors.ts";
import { HttpStatusError } from "../../../lib/errors.ts";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import type { OutletEvent } from "../../../server/observer/event.ts";
import { type Observer, observeUntil } from "../../../server/observer/observer.ts";
import { queueSteps } from "../../../server/observer/outbox.ts";
import { hurryTimers } from "../../hurry_timers.ts";
import { event } from "./events.ts";
import { withReceiver } from "./receiver.ts";
import { failOnce, outletOf, runWell, START, watchUntil, withWorld } from "./world.ts";

const NONE = { plans: () => null };

Deno.test("createObserver: a slow poll holds up no other; errors of the database are thrown", () =>
  withWorld([1], async (world) => {
    const { records: { polls, watches }, observer } = world;
    const isAsked = Promise.withResolvers<void>();
    const slow = Promise.withResolvers<readonly never[]>();
    const isOtherAsked = Promise.withResolvers<void>();
    world.answer = (id) => {
      (id === 1 ? isAsked : isOtherAsked).resolve();
      return id === 1 ? slow.promise : Promise.resolve([]);
    };
    {
      using _ = hurryTimers(1000);
      const polling = observer.pollDue();
      await isAsked.promise;
      await watches.add([2], START);
      await isOtherAsked.promise;
      slow.resolve([]);
      assertEquals(await polling, 2);
    }
    Object.assign(polls, { anyDue: () => Promise.reject(new Error("The database is gone")) });
    await assertRejects(() => observer.pollDue(), Error, "The database is gone");
  }, NONE));

const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 1));

/** Observes during some work. */
async function observing(observer: Observer, work: () => Promise<void>, end = () => {}) {
  const ending = new AbortController();
  const ended = observeUntil(observer, { signal: ending.signal, sleep: turn, onEvent: () => {} });
  await work();
  ending.abort();
  end();
  await ended;
}

Deno.test("observeUntil: a failure of all work is reported once, and its end", async () => {
  const ended = new AbortController();
  const said: string[] = [];
  let calls = 0;
  const work = () => ++calls <= 10 ? Promise.reject(new Error("away")) : Promise.resolve([]);
  const names = ["share", "pollDue", "doDuties", "findSchedules"];
  const observer = Object.fromEntries(names.map((name) => [name, work])) as unknown as Observer;
  // Another instance then sends what this one could not.
  const due = [{ name: "webhook" }];
  Object.assign(observer, { dueOutlets: () => Promise.resolve(due.splice(0)), sendDue: work });
  await observeUntil(observer, {
    signal: ended.signal,
    sleep: () => Promise.resolve(calls > 40 ? ended.abort() : undefined),
    onEvent: (...[level, message]) => void said.push(`${level} ${message}`),
  });
  assertEquals(said, ["error The observer failed", "info The observer has recovered"]);
});

Deno.test("observeUntil: an outlet that hangs holds up no other, however long it hangs", () => {
  const hanging = Promise.withResolvers<void>();
  let hangs = 0;
  let sent = 0;
  const outlets = [
    outletOf("webhook", () => (hangs++, hanging.promise)),
    outletOf("mail", (messages) => Promise.resolve(void (sent += messages.length))),
  ];
  return withWorld([], async ({ observer, records }) => {
    const queue = (incidentId: string) =>
      records.commit(queueSteps(event(), outlets, { incidentId, now: START }));
    await queue("x");
    await observing(observer, async () => {
      while (hangs === 0 || sent === 0) await turn();
      await queue("y");
      while (sent < 2) await turn();
    }, hanging.resolve);
    assertEquals(hangs, 1);
  }, { outlets });
});

Deno.test("createObserver: a pause holds for all instances and for polls, but not for messages", () => {
  const ids = Array.from({ length: 20 }, (_, at) => at + 1);
  return withWorld(ids, async (world) => {
    const { observer, requests, records: { service, polls } } = world;
    for (const id of ids) runWell(world, id, START - 5 * HOUR, 5);
    world.run(1, START, { status: "failure" });
    await service.store({ pausedUntil: START + HOUR + 2 * MINUTE, clockOffsets: [7] });
    assertEquals([await observer.pollDue(), requests.length], [0, 0]);
    // No pause is as long: this one is from before the clock was put back.
    await service.store({ pausedUntil: START + 2 * HOUR });
    world.sleepUntil(START + 2 * MINUTE);
    world.fault = (id) => {
      if (id !== 2) return null;
      world.pausedUntil = world.now() + 10 * MINUTE;
      return new HttpStatusError(429, "", {});
    };
    await observer.pollDue();
    assert(await polls.anyDue(world.now()));
    // Other instances pause, too, and what they found of the service's clock stays.
    const { pausedUntil, clockOffsets } = await service.get();
    assertEquals([pausedUntil, clockOffsets], [world.pausedUntil, [7]]);
    await observer.sendDue();
    assertEquals(world.notified(), ["opened failing 1"]);
  });
});

Deno.test("doDueDuties: repeats sent incidents, and the heartbeat each minute while polls go on", () =>
  withReceiver(() => new Response(), (origin, received) => {
    const repeated: string[] = [];
    const repeat = (events: readonly OutletEvent[]) => {
      repeated.push(...events.map(({ type, data }) => `${type} ${data.schedule?.id}`));
      return Promise.resolve();
    };
    const outlets = [{ ...outletOf("alertmanager"), repeat }];
    return withWorld([1, 2, 3], async (world) => {
      const { observer, sleepUntil, records } = world;
      for (const id of [1, 2, 3]) runWell(world, id, START - 5 * HOUR, 5);
      // It was sent nothing of the second, and the owner's channel alone was sent the third.
      await records.watches.change(2, { mutedUntil: START + 9 * HOUR }, START);
      await world.own("Finance", [3]);
      await watchUntil(world, START + 40 * MINUTE);
      assertEquals([...new Set(repeated.splice(0))], ["incident.opened 1"]);
      // For 15 minutes its end is repeated, too: a repeat may have come after the first message of it.
      world.run(1, START + 39 * MINUTE);
      await world.poll();
      await watchUntil(world, START + 58 * MINUTE);
      assertEquals(repeated, Array(16).fill("incident.resolved 1"));
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
    }, { outlets, heartbeatUrl: `${origin}/beat` });
  }));

Deno.test("doDueDuties: resolves what is unwatched, each alone, and gives up what nobody sends", () =>
  withWorld([1, 2, 3], async (world) => {
    const { logged, observer: { doDuties }, records: { incidents, messages, ...records } } = world;
    await failOnce(world, [1, 2, 3]);
    const outlets = ["pager", "mail"].map((name) => outletOf(name));
    await records.commit(queueSteps(event(), outlets, { incidentId: "x", now: world.now() }));
    for (const id of [1, 2]) await records.watches.remove([id], BY_ADA);
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
    // For two days, another instance may still have it.
    world.sleepUntil(world.now() + 48 * HOUR - 2 * MINUTE);
    await doDuties();
    assertEquals((await messages.list({ state: "given-up", limit: 0 })).total, 0);
    world.sleepUntil(world.now() + HOUR);
    for (let again = 0; again < 2; again++) await doDuties();
    const reason = "The channel is no longer set up";
    assertEquals(logged.slice(1), [`warn Deliveries by pager were given up: ${reason}`]);
    const { items } = await messages.list({ state: "given-up", limit: 9 });
    assertEquals(items.map(({ outlet, error }) => [outlet, error]), [["pager", reason]]);
    const counted = (await records.counters.list()).filter(({ outlet }) => outlet === "pager");
    assertEquals(counted.map(({ outcome, count }) => [outcome, count]), [["given_up", 1]]);
  }, { outlets: ["mail", "webhook"].map((name) => outletOf(name)) }));

Deno.test("doDueDuties: after the clock was put back, everything goes on at once", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 30 * HOUR, 30);
    // The machine began with its local time as UTC.
    await world.poll(START + 13 * HOUR);
    world.sleepUntil(START);
    const sent = await world.until(START + 10 * MINUTE);
    assertEquals(sent, ["opened overdue 1", "resolved overdue 1", "opened overdue 1"]);
  }));
