import { assert, assertEquals } from "@std/assert";
import { HOUR, MINUTE, SECOND } from "../../../lib/time_units.ts";
import { createOutbox, LONGEST_WAIT_MS, queueSteps } from "../../../server/observer/outbox.ts";
import { type Message, type Outlet, OutletError } from "../../../server/observer/outlets/outlet.ts";
import {
  type ObserverRecords,
  observerRecordsOn,
} from "../../../server/store/records/observer_records.ts";
import { withSqlite } from "../store/sqlite/with_sqlite.ts";
import { event } from "./events.ts";

const START = Date.UTC(2026, 2, 10);

/** An outlet with its outbox, and a clock. */
function createDesk(records: ObserverRecords, more: Partial<Outlet>) {
  const outlet: Outlet = {
    name: "webhook",
    groupOf: () => crypto.randomUUID(),
    send(messages) {
      if (desk.fails) return Promise.reject(desk.fails);
      desk.sent.push([...messages]);
      return Promise.resolve();
    },
    ...more,
  };
  const desk = {
    records,
    outlet,
    now: START,
    /** Why sending fails; null if it does not. */
    fails: null as OutletError | null,
    /** Spreads retries, from 0 to 1. */
    random: 0.5,
    sent: [] as Message[][],
    /** Why attempts failed. */
    errors: [] as string[],
    /** Queues a message about an incident, by default about another one each time. */
    async add(said = event(), incidentId: string = crypto.randomUUID(), more: object = {}) {
      const route = { name: outlet.name, ...more };
      await records.commit(queueSteps(said, [route], { incidentId, now: desk.now++ }));
    },
    /** Sends as an instance does, by default as the same one. */
    sendDue(which = outlet, holder = "a"): Promise<number> {
      const clock = { now: () => desk.now, random: () => desk.random };
      const onProblem = (_: string, reason: string) => void desk.errors.push(reason);
      return createOutbox({ records, holder, ...clock, onProblem }).sendDue(which);
    },
    latest: async () => (await records.messages.list({ limit: 1 })).items[0],
  };
  return desk;
}

function withDesk(
  test: (desk: ReturnType<typeof createDesk>) => Promise<void>,
  more: Partial<Outlet> = {},
): Promise<void> {
  return withSqlite((database) => test(createDesk(observerRecordsOn(database), more)));
}

const AWAY = new OutletError("The receiver could not be reached");

Deno.test("createOutbox: waits grow and spread, heed the receiver, and end after two days", () =>
  withDesk(async (desk) => {
    const { messages, counters } = desk.records;
    assertEquals(await desk.sendDue(), 0);
    await desk.add();
    const waits: number[] = [];
    desk.fails = AWAY;
    while (waits.length < 99) {
      await desk.sendDue();
      // No wait is one that a wrong clock set.
      await desk.records.polls.correctFutureTimes(desk.now, LONGEST_WAIT_MS);
      const { due } = await desk.latest();
      if (due === null) break;
      waits.push((due - desk.now) / SECOND);
      desk.now = due;
    }
    assertEquals(waits.slice(0, 9), [10, 30, 60, 120, 300, 600, 1800, 3600, 3600]);
    assert(desk.now - START <= 48 * HOUR && desk.now - START > 46 * HOUR);
    const { items: [failed] } = await messages.list({ state: "given-up", limit: 1 });
    assertEquals(failed.error, AWAY.message);
    desk.fails = null;
    await messages.sendAgain(failed.id, desk.now);
    await desk.sendDue();
    const { id, error } = await desk.latest();
    assertEquals([desk.sent.map(([message]) => message.id), id, error], [[failed.id], id, null]);
    const counts = (await counters.list()).map(({ outcome, count }) => `${outcome} ${count}`);
    assertEquals(counts.sort(), [`failed ${waits.length}`, "given_up 1", "sent 1"]);
    /** Where in the spread, what the receiver asks for, and the wait. */
    const rows = [
      [0, 0, 9 * SECOND],
      [1, 0, 11 * SECOND],
      [0.5, 100 * SECOND, 100 * SECOND],
      [0.5, 9 * HOUR, HOUR],
    ];
    for (const [random, retryAfterMs, wait] of rows) {
      desk.random = random;
      desk.fails = new OutletError("busy", retryAfterMs);
      await desk.add();
      await desk.sendDue();
      assertEquals((await desk.latest()).due! - desk.now, wait);
    }
    // What was held for days is tried as long as other messages.
    const heldUntil = desk.now + 72 * HOUR;
    await desk.add(event(), "held", { heldUntil });
    desk.now = heldUntil;
    await desk.sendDue();
    const { attempts, givenUp } = await desk.latest();
    assertEquals([attempts, givenUp], [1, null]);
  }));

Deno.test("createOutbox: what is alike becomes one message, with the same id and events each time", () =>
  withDesk(async (desk) => {
    const { messages } = desk.records;
    const count = async (state: "waiting" | "sent") =>
      (await messages.list({ state, limit: 0 })).total;
    for (let at = 0; at < 10; at++) await desk.add();
    for (let at = 0; at < 2; at++) await desk.add(event("incident.resolved"));
    desk.fails = AWAY;
    await desk.sendDue();
    assertEquals([desk.errors.length, await count("waiting")], [2, 12]);
    // What comes later is no part of a message that the receiver may have taken.
    desk.now += MINUTE;
    await desk.add();
    desk.fails = null;
    await desk.sendDue();
    assertEquals(desk.sent.map(({ length }) => length).sort(), [1, 10, 2]);
    assertEquals([await count("waiting"), await count("sent")], [0, 13]);
    // Whichever of them is sent once more, it is the whole message.
    const ten = desk.sent.find(({ length }) => length === 10)!;
    await messages.sendAgain(ten[7].id, desk.now);
    await desk.sendDue();
    assertEquals(desk.sent.at(-1)!.map(({ id }) => id), ten.map(({ id }) => id));
  }, { groupOf: ({ type }) => type }));

Deno.test("createOutbox: starts no more messages than a lease has time for; the rest follows", () =>
  withDesk(async (desk) => {
    // Withholding what is muted takes as long, before the lease begins.
    let withholding = 40 * SECOND;
    const mutedWithDue = () => {
      desk.now += withholding;
      withholding = 0;
      return Promise.resolve([]);
    };
    Object.assign(desk.records.incidents, { mutedWithDue });
    const send: Outlet["send"] = async (messages, at) => {
      desk.now += 10 * SECOND;
      // Nor does another instance, until the lease is over.
      assertEquals(await desk.sendDue(desk.outlet, "b"), 0);
      return await desk.outlet.send(messages, at);
    };
    const slow = { ...desk.outlet, send };
    for (let at = 0; at < 7; at++) await desk.add();
    const begin = desk.now + withholding;
    await desk.sendDue(slow);
    // The fourth starts after 30 seconds, and may take another 30 of the minute.
    assertEquals([desk.sent.length, desk.now - begin], [4, 40 * SECOND]);
    await desk.sendDue(slow);
    const { items } = await desk.records.messages.list({ limit: 20 });
    assertEquals([desk.sent.length, ...new Set(items.map(({ attempts }) => attempts))], [7, 1]);
  }));

Deno.test("createOutbox: lists who was not reached, and does not send the message again", () =>
  withDesk(async (desk) => {
    const unreached = "The mail server refused 1 of 2 recipients";
    const partly = { ...desk.outlet, send: () => Promise.resolve(unreached) };
    await desk.add();
    assertEquals([await desk.sendDue(partly), await desk.sendDue(partly)], [1, 0]);
    assertEquals([(await desk.latest()).error, desk.errors], [unreached, [unreached]]);
  }));

Deno.test("createOutbox: an alert that was sent late does not open what is resolved", () =>
  withDesk(async (desk) => {
    await desk.add(event(), "x");
    desk.fails = AWAY;
    await desk.sendDue();
    desk.fails = null;
    desk.now += SECOND;
    await desk.add(event("incident.resolved", { resolved: "2026-03-10T06:30:00.000Z" }), "x");
    for (let hour = 0; hour < 3; hour++) {
      desk.now += HOUR;
      await desk.sendDue();
    }
    const types = desk.sent.flat().map(({ event: { type } }) => type);
    assertEquals(types, ["incident.resolved", "incident.resolved"]);
  }, { name: "alertmanager", repeat: () => Promise.resolve(), groupOf: undefined }));
