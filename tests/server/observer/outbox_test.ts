import { assert, assertEquals } from "@std/assert";
import {
  createOutbox,
  deliverySteps,
  nextAttempt,
  type Outbox,
  TRIED_FOR_MS,
} from "../../../server/observer/outbox.ts";
import { type Message, type Outlet, OutletError } from "../../../server/observer/outlets/outlet.ts";
import { type Records, recordsOn } from "../../../server/store/observer/records.ts";
import { openSqlite } from "../../../server/store/sqlite/engine.ts";
import type { OutletEvent } from "../../../server/observer/event.ts";
import { event } from "./events.ts";

const START = Date.UTC(2026, 2, 10);

/** An outlet that fails until it is told not to. */
function outletOf(more: Partial<Outlet> = {}) {
  const sent: Message[][] = [];
  const state = { fails: null as OutletError | null };
  const outlet: Outlet = {
    name: "webhook",
    mostAtOnce: 1,
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
  records: Records,
  outlets: readonly Outlet[],
  { now = () => START, errors = [] }: { now?: () => number; errors?: string[] } = {},
): Outbox {
  return createOutbox({
    records,
    outlets,
    holder: "a",
    now,
    random: () => 0.5,
    onError: (_, reason) => errors.push(reason),
  });
}

async function withRecords(test: (records: Records) => Promise<void>): Promise<void> {
  const engine = await openSqlite({ path: ":memory:" });
  try {
    await test(recordsOn(engine));
  } finally {
    await engine.close();
  }
}

Deno.test("nextAttempt: waits grow, spread, and go on for at least a day", () => {
  const at = (attempts: number, now: number, random = 0.5) =>
    nextAttempt({ attempts, created: START }, { now, random });
  assertEquals([1, 2, 3, 20].map((attempts) => at(attempts, START)! - START), [
    10_000,
    30_000,
    60_000,
    3_600_000,
  ]);
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
    const outbox = createTestOutbox(records, [outlet], { now: () => now, errors });
    assertEquals(await outbox.sendDue(), 0);
    await records.commit(deliverySteps(event(), [outlet], { incidentId: "x", now }));
    const [{ id }] = (await records.deliveries.list({ limit: 1 })).items;
    state.fails = new OutletError("The receiver answered with status 500");
    for (; now < START + 20 * 3_600_000; now += 600_000) await outbox.sendDue();
    assertEquals([sent.length, errors.length > 10], [0, true]);
    state.fails = null;
    for (; now < START + 24 * 3_600_000; now += 600_000) await outbox.sendDue();
    assertEquals(sent.map((messages) => messages.map((each) => each.id)), [[id]]);
    const counts = await records.values.beginning("count/deliveries/webhook/");
    assertEquals(counts.get("count/deliveries/webhook/sent"), 1);
    assertEquals(counts.get("count/deliveries/webhook/failed"), errors.length);
  }));

Deno.test("createOutbox: what is never taken is given up, and can be replayed", () =>
  withRecords(async (records) => {
    const { outlet, sent, state } = outletOf();
    let now = START;
    const outbox = createTestOutbox(records, [outlet], { now: () => now });
    await records.commit(deliverySteps(event(), [outlet], { incidentId: "x", now }));
    state.fails = new OutletError("The receiver could not be reached");
    for (; now < START + 50 * 3_600_000; now += 3_600_000) await outbox.sendDue();
    const [given] = (await records.deliveries.list({ state: "given-up", limit: 1 })).items;
    assertEquals(given.error, "The receiver could not be reached");
    state.fails = null;
    await records.deliveries.replay(given.id, now);
    await outbox.sendDue();
    assertEquals(sent[0][0].id, given.id);
    assertEquals((await records.deliveries.get(given.id))?.error, null);
  }));

Deno.test("createOutbox: what is alike becomes one message, with the same id and events each time", () =>
  withRecords(async (records) => {
    const groupOf = ({ type }: { readonly type: string }) => type;
    const { outlet, sent, state } = outletOf({ mostAtOnce: 100, groupOf });
    let now = START;
    const errors: string[] = [];
    const outbox = createTestOutbox(records, [outlet], { now: () => now, errors });
    const add = (count: number, type: OutletEvent["type"] = "incident.opened") =>
      records.commit(
        Array.from({ length: count }, () =>
          deliverySteps(event(type), [outlet], { incidentId: "x", now: now++ })).flat(),
      );
    await add(10);
    await add(2, "incident.resolved");
    state.fails = new OutletError("The receiver answered with status 500");
    await outbox.sendDue();
    assertEquals([errors.length, await records.deliveries.waiting()], [2, 12]);
    // What comes later is no part of a message that the receiver may have taken.
    now += 60_000;
    await add(1);
    state.fails = null;
    await outbox.sendDue();
    assertEquals(sent.map((messages) => messages.length).sort(), [1, 10, 2]);
    assertEquals(await records.deliveries.waiting(), 0);
    const { items } = await records.deliveries.list({ state: "sent", limit: 20 });
    assertEquals(items.length, 13);
    // Whichever of them is sent once more, it is the whole message.
    const ten = sent.find(({ length }) => length === 10)!;
    await records.deliveries.replay(ten[7].id, now);
    await outbox.sendDue();
    assertEquals(sent.at(-1)!.map(({ id }) => id), ten.map(({ id }) => id));
  }));

Deno.test("createOutbox: no more messages are begun than a lease has time for, and the rest follows", () =>
  withRecords(async (records) => {
    let kind = 0;
    const { outlet, sent } = outletOf({ mostAtOnce: 100, groupOf: () => `${kind++}` });
    const outbox = createTestOutbox(records, [outlet]);
    const steps = Array.from(
      { length: 7 },
      () => deliverySteps(event(), [outlet], { incidentId: "x", now: START }),
    );
    await records.commit(steps.flat());
    await outbox.sendDue();
    assertEquals(sent.length, 5);
    await outbox.sendDue();
    const { items } = await records.deliveries.list({ limit: 20 });
    assertEquals([sent.length, ...new Set(items.map(({ attempts }) => attempts))], [7, 1]);
  }));

Deno.test("createOutbox: an outlet that hangs does not hold up another", () =>
  withRecords(async (records) => {
    const { outlet: mail, sent } = outletOf({ name: "mail", mostAtOnce: 100 });
    const hanging = Promise.withResolvers<void>();
    const { outlet: webhook } = outletOf({ send: () => hanging.promise });
    const outbox = createTestOutbox(records, [webhook, mail]);
    const steps = [1, 2, 3].flatMap(() =>
      deliverySteps(event(), [webhook, mail], { incidentId: "x", now: START })
    );
    await records.commit(steps);
    const sending = outbox.sendDue();
    while (sent.length === 0) await new Promise((done) => setTimeout(done, 1));
    assertEquals(sent[0].length, 3);
    hanging.resolve();
    await sending;
  }));

Deno.test("createOutbox: an alert that was sent late does not open what is resolved", () =>
  withRecords(async (records) => {
    const { outlet, sent, state } = outletOf({
      name: "alertmanager",
      mostAtOnce: 100,
      keepsState: true,
    });
    let now = START;
    const outbox = createTestOutbox(records, [outlet], { now: () => now });
    await records.commit(deliverySteps(event(), [outlet], { incidentId: "x", now }));
    state.fails = new OutletError("The receiver could not be reached");
    await outbox.sendDue();
    state.fails = null;
    now += 1000;
    const resolved = event("incident.resolved", { resolved: "2026-03-10T06:30:00.000Z" });
    await records.commit(deliverySteps(resolved, [outlet], { incidentId: "x", now }));
    await outbox.sendDue();
    now += 3_600_000;
    await outbox.sendDue();
    const types = sent.flat().map(({ event: { type } }) => type);
    assertEquals(types, ["incident.resolved", "incident.resolved"]);
  }));
