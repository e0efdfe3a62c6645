import { assert, assertEquals } from "@std/assert";
import {
  createOutbox,
  deliverySteps,
  nextAttempt,
  TRIED_FOR_MS,
} from "../../../server/observer/outbox.ts";
import { type Message, type Outlet, OutletError } from "../../../server/observer/outlets/outlet.ts";
import {
  type ObserverRecords,
  observerRecordsOn,
} from "../../../server/store/records/observer_records.ts";
import { withSqlite } from "../store/sqlite/with_sqlite.ts";
import type { OutletEvent } from "../../../server/observer/event.ts";
import { event } from "./events.ts";

const START = Date.UTC(2026, 2, 10);

/** An outlet that fails until it is told not to. */
function outletOf(more: Partial<Outlet> = {}) {
  const sent: Message[][] = [];
  const state = { fails: null as OutletError | null };
  const outlet: Outlet = {
    name: "webhook",
    groupOf: () => crypto.randomUUID(),
    collectMs: 0,
    send(messages) {
      if (state.fails) return Promise.reject(state.fails);
      sent.push([...messages]);
      return Promise.resolve();
    },
    ...more,
  };
  return { outlet, sent, state };
}

/** An outbox that notes why attempts failed. */
function createTestOutbox(
  records: ObserverRecords,
  { now = () => START, errors = [] }: { now?: () => number; errors?: string[] } = {},
): ReturnType<typeof createOutbox> {
  return createOutbox({
    records,
    holder: "a",
    now,
    random: () => 0.5,
    onProblem: (_, reason) => errors.push(reason),
  });
}

const withRecords = (test: (records: ObserverRecords) => Promise<void>) =>
  withSqlite((database) => test(observerRecordsOn(database)));

Deno.test("nextAttempt: waits grow, spread, and go on for at least a day", () => {
  const at = (attempts: number, now: number, random = 0.5) =>
    nextAttempt({ attempts, created: START }, { now, random });
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 20].map((attempts) =>
    (at(attempts, START)! - START) / 1000
  );
  assertEquals(waits, [10, 30, 60, 120, 300, 600, 1800, 3600, 3600]);
  assertEquals([at(1, START, 0)! - START, at(1, START, 1)! - START], [9000, 11_000]);
  assert(at(30, START + 24 * 3_600_000) !== null);
  assertEquals(at(50, START + TRIED_FOR_MS), null);
  const asked = { now: START, random: 0.5, retryAfterMs: 100_000 };
  assertEquals(nextAttempt({ attempts: 1, created: START }, asked), START + 100_000);
});

Deno.test("createOutbox: a receiver that is down for long gets each message once, with its id", () =>
  withRecords(async (records) => {
    const { outlet, sent, state } = outletOf();
    let now = START;
    const errors: string[] = [];
    const outbox = createTestOutbox(records, { now: () => now, errors });
    assertEquals(await outbox.sendDue(outlet), 0);
    await records.commit(deliverySteps(event(), [outlet], { incidentId: "x", now }));
    const [{ id }] = (await records.messages.list({ limit: 1 })).items;
    state.fails = new OutletError("The receiver answered with status 500");
    for (; now < START + 20 * 3_600_000; now += 600_000) await outbox.sendDue(outlet);
    assertEquals([sent.length, errors.length > 10], [0, true]);
    state.fails = null;
    for (; now < START + 24 * 3_600_000; now += 600_000) await outbox.sendDue(outlet);
    assertEquals(sent.map((messages) => messages.map((each) => each.id)), [[id]]);
    const counts = (await records.counters.list()).map(({ outcome, count }) => [outcome, count]);
    assertEquals(counts, [["failed", errors.length], ["sent", 1]]);
  }));

Deno.test("createOutbox: what is never taken is given up, and can be replayed", () =>
  withRecords(async (records) => {
    const { outlet, sent, state } = outletOf();
    let now = START;
    const outbox = createTestOutbox(records, { now: () => now });
    await records.commit(deliverySteps(event(), [outlet], { incidentId: "x", now }));
    state.fails = new OutletError("The receiver could not be reached");
    for (; now < START + 50 * 3_600_000; now += 3_600_000) await outbox.sendDue(outlet);
    const [given] = (await records.messages.list({ state: "given-up", limit: 1 })).items;
    assertEquals(given.error, "The receiver could not be reached");
    state.fails = null;
    await records.messages.sendAgain(given.id, now);
    await outbox.sendDue(outlet);
    assertEquals(sent[0][0].id, given.id);
    const { items: [again] } = await records.messages.list({ state: "sent", limit: 1 });
    assertEquals([again.id, again.error], [given.id, null]);
  }));

Deno.test("createOutbox: what is alike becomes one message, with the same id and events each time", () =>
  withRecords(async (records) => {
    const groupOf = ({ type }: { readonly type: string }) => type;
    const { outlet, sent, state } = outletOf({ groupOf });
    let now = START;
    const errors: string[] = [];
    const outbox = createTestOutbox(records, { now: () => now, errors });
    const add = (count: number, type: OutletEvent["type"] = "incident.opened") =>
      records.commit(
        Array.from({ length: count }, () =>
          deliverySteps(event(type), [outlet], { incidentId: `${now}`, now: now++ })).flat(),
      );
    await add(10);
    await add(2, "incident.resolved");
    state.fails = new OutletError("The receiver answered with status 500");
    await outbox.sendDue(outlet);
    assertEquals([
      errors.length,
      (await records.messages.list({ state: "waiting", limit: 0 })).total,
    ], [2, 12]);
    // What comes later is no part of a message that the receiver may have taken.
    now += 60_000;
    await add(1);
    state.fails = null;
    await outbox.sendDue(outlet);
    assertEquals(sent.map((messages) => messages.length).sort(), [1, 10, 2]);
    assertEquals((await records.messages.list({ state: "waiting", limit: 0 })).total, 0);
    const { items } = await records.messages.list({ state: "sent", limit: 20 });
    assertEquals(items.length, 13);
    // Whichever of them is sent once more, it is the whole message.
    const ten = sent.find(({ length }) => length === 10)!;
    await records.messages.sendAgain(ten[7].id, now);
    await outbox.sendDue(outlet);
    assertEquals(sent.at(-1)!.map(({ id }) => id), ten.map(({ id }) => id));
  }));

Deno.test("createOutbox: starts no more messages than a lease has time for; the rest follows", () =>
  withRecords(async (records) => {
    let kind = 0;
    let now = START;
    const { outlet, sent } = outletOf({ groupOf: () => `${kind++}` });
    const send: Outlet["send"] = (messages, at) => {
      now += 10_000;
      return outlet.send(messages, at);
    };
    const slow = { ...outlet, send };
    const outbox = createTestOutbox(records, { now: () => now });
    const steps = Array.from(
      { length: 7 },
      (_, at) => deliverySteps(event(), [outlet], { incidentId: `${at}`, now: START }),
    );
    await records.commit(steps.flat());
    await outbox.sendDue(slow);
    // The fourth starts after 30 seconds, and may take another 30 of the minute.
    assertEquals([sent.length, now], [4, START + 40_000]);
    await outbox.sendDue(slow);
    const { items } = await records.messages.list({ limit: 20 });
    assertEquals([sent.length, ...new Set(items.map(({ attempts }) => attempts))], [7, 1]);
  }));

Deno.test("createOutbox: an incident's messages stay in order, however often it was away", () =>
  withRecords(async (records) => {
    const { outlet, sent, state } = outletOf({ groupOf: ({ type }) => type });
    let now = START;
    const outbox = createTestOutbox(records, { now: () => now });
    const types = ["incident.opened", "incident.acknowledged", "incident.resolved"] as const;
    for (const type of types) {
      await records.commit(deliverySteps(event(type), [outlet], { incidentId: "x", now: now++ }));
      state.fails = new OutletError("The receiver answered with status 503");
      await outbox.sendDue(outlet);
      state.fails = null;
      // One of another incident does not wait for it.
      await records.commit(deliverySteps(event(), [outlet], { incidentId: `y ${type}`, now }));
      await outbox.sendDue(outlet);
      assertEquals(sent.splice(0).flat().length, 1);
    }
    for (let round = 0; round < 4; round++) {
      now += 30_000;
      await outbox.sendDue(outlet);
    }
    assertEquals(sent.flat().map((message) => message.event.type), types);
  }));

Deno.test("createOutbox: lists who was not reached, and does not send the message again", () =>
  withRecords(async (records) => {
    const unreached = "The mail server refused 1 of 2 recipients";
    const { outlet, sent } = outletOf();
    const errors: string[] = [];
    const outbox = createTestOutbox(records, { errors });
    const partly: Outlet = {
      ...outlet,
      async send(messages, now) {
        await outlet.send(messages, now);
        return unreached;
      },
    };
    await records.commit(deliverySteps(event(), [outlet], { incidentId: "x", now: START }));
    assertEquals([await outbox.sendDue(partly), await outbox.sendDue(partly)], [1, 0]);
    const { items: [delivery] } = await records.messages.list({ state: "sent", limit: 1 });
    assertEquals([sent.length, delivery.error, errors], [1, unreached, [unreached]]);
  }));

Deno.test("createOutbox: an alert that was sent late does not open what is resolved", () =>
  withRecords(async (records) => {
    const { outlet, sent, state } = outletOf({
      name: "alertmanager",
      repeat: () => Promise.resolve(),
      groupOf: () => "alerts",
    });
    let now = START;
    const outbox = createTestOutbox(records, { now: () => now });
    await records.commit(deliverySteps(event(), [outlet], { incidentId: "x", now }));
    state.fails = new OutletError("The receiver could not be reached");
    await outbox.sendDue(outlet);
    state.fails = null;
    now += 1000;
    const resolved = event("incident.resolved", { resolved: "2026-03-10T06:30:00.000Z" });
    await records.commit(deliverySteps(resolved, [outlet], { incidentId: "x", now }));
    for (let round = 0; round < 3; round++) {
      now += 3_600_000;
      await outbox.sendDue(outlet);
    }
    const types = sent.flat().map(({ event: { type } }) => type);
    assertEquals(types, ["incident.resolved", "incident.resolved"]);
  }));
