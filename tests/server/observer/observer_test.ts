import { assertEquals, assertRejects } from "@std/assert";
import { judgeStored } from "../../../server/observer/judging/judging_questions.ts";
import { directAccess } from "../../../server/observer/service_access.ts";
import { createObserver, observe, type Observer } from "../../../server/observer/observer.ts";
import { claimRecords, OtherServiceError } from "../../../server/observer/service_observer.ts";
import type { Outlet } from "../../../server/observer/outlets/outlet.ts";
import { deliverySteps } from "../../../server/observer/outbox.ts";
import { event } from "./events.ts";
import { withSqlite } from "../store/sqlite/with_sqlite.ts";
import {
  type ObserverRecords,
  observerRecordsOn,
} from "../../../server/store/records/observer_records.ts";
import { holdTimers } from "../../hold_timers.ts";
import { START, withWorld } from "./world.ts";

/** Runs a test with an observer of a service that answers so; by default its clock stands still. */
async function withObserver(
  history: (scheduleId: number) => Promise<readonly never[]>,
  test: (observer: Observer, records: ObserverRecords) => Promise<void>,
  outlets: readonly Outlet[] = [],
  now = () => START,
): Promise<void> {
  await withSqlite(async (database) => {
    const records = observerRecordsOn(database);
    const observer = createObserver({
      records,
      access: directAccess({
        fileSets: { search: () => Promise.reject(new Error("Not asked for")) },
        reportSchedules: { history },
      }),
      judge: (question) => Promise.resolve(judgeStored(question)),
      outlets,
      now,
      zone: "UTC",
      everyMs: 60_000,
      origin: "https://docket.example.com",
      heartbeatUrl: null,
      onEvent: () => {},
    });
    await test(observer, records);
  });
}

Deno.test("createObserver: what becomes due is polled while the answer to another poll is slow", async () => {
  const held = holdTimers(1000);
  const asked: number[] = [];
  const isAsked = Promise.withResolvers<void>();
  const slow = Promise.withResolvers<readonly never[]>();
  const history = (scheduleId: number) => {
    asked.push(scheduleId);
    isAsked.resolve();
    return scheduleId === 1 ? slow.promise : Promise.resolve([]);
  };
  try {
    await withObserver(history, async (observer, records) => {
      await records.watches.add([1], START);
      const polls = observer.pollDue();
      await isAsked.promise;
      await records.watches.add([2], START);
      while (asked.length < 2) {
        held.pass();
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      slow.resolve([]);
      assertEquals(await polls, 2);
      assertEquals(asked, [1, 2]);
    });
  } finally {
    held.release();
  }
});

Deno.test("createObserver: polls in progress when the database fails are ended, and counted", async () => {
  const slow = Promise.withResolvers<readonly never[]>();
  await withObserver(() => slow.promise, async (observer, records) => {
    await records.watches.add([1], START);
    const { anyDue } = records.polls;
    let asked = 0;
    Object.assign(records.polls, {
      anyDue(at: number) {
        if (++asked === 1) return anyDue(at);
        slow.resolve([]);
        return Promise.reject(new Error("The database is gone"));
      },
    });
    // Its timer would outlive the test.
    await assertRejects(() => observer.pollDue(), Error, "The database is gone");
    assertEquals((await records.counters.list()).map(({ count }) => count), [1]);
  });
});

Deno.test("createObserver: another instance's longest pause holds", async () => {
  let asked = 0;
  const history = () => (asked++, Promise.resolve([]));
  await withObserver(history, async (observer, { watches, service }) => {
    await watches.add([1], START);
    const pausedUntil = (moment: number) => service.store({ pausedUntil: moment });
    await pausedUntil(START + 3_600_000 + 3000);
    assertEquals([await observer.pollDue(), asked], [0, 0]);
    // No pause is as long: this one is from before the clock was put back.
    await pausedUntil(START + 2 * 3_600_000);
    assertEquals([await observer.pollDue(), asked], [1, 1]);
  });
});

Deno.test("observe: outlets stay registered and polls are counted while polls never pause", async () => {
  const slow = Promise.withResolvers<readonly never[]>();
  const ending = new AbortController();
  const history = (id: number) => id === 1 ? slow.promise : Promise.resolve([]);
  const mail: Outlet = {
    name: "mail",
    groupOf: () => crypto.randomUUID(),
    collectMs: 0,
    send: () => Promise.resolve(),
  };
  let at = START;
  await withObserver(
    history,
    async (observer, { watches, counters, outlets }) => {
      await watches.add([1, 2], START);
      const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 1));
      const observing = observe(observer, {
        signal: ending.signal,
        sleep: turn,
        onEvent: () => {},
      });
      const shared = async () => [
        (await outlets.seenAfter(at - 1)).length,
        (await counters.list()).reduce((total, { count }) => total + count, 0),
      ];
      for (let turns = 0; turns < 1000 && (await shared())[1] === 0; turns++) await turn();
      at += 120_000;
      for (let turns = 0; turns < 1000 && (await shared())[0] === 0; turns++) await turn();
      const found = await shared();
      ending.abort();
      slow.resolve([]);
      await observing;
      assertEquals(found, [1, 1]);
    },
    [mail],
    () => at,
  );
});

Deno.test("observe: a failure of all work is reported once, and its end", async () => {
  const ended = new AbortController();
  const said: string[] = [];
  let calls = 0;
  const work = () => ++calls <= 10 ? Promise.reject(new Error("away")) : Promise.resolve([]);
  const names = ["share", "pollDue", "dueOutlets", "doDuties", "findSchedules"];
  const observer = Object.fromEntries(names.map((name) => [name, work])) as unknown as Observer;
  await observe(observer, {
    signal: ended.signal,
    sleep() {
      if (calls > 40) ended.abort();
      return Promise.resolve();
    },
    onEvent: (...[level, message]) => void said.push(`${level} ${message}`),
  });
  assertEquals(said, ["error The observer failed", "info The observer has recovered"]);
});

Deno.test("observe: an outlet that hangs holds up no other, however long it hangs", async () => {
  const hanging = Promise.withResolvers<void>();
  const ending = new AbortController();
  let hangs = 0;
  let sent = 0;
  const common = { collectMs: 0, groupOf: () => crypto.randomUUID() };
  const webhook: Outlet = { ...common, name: "webhook", send: () => (hangs++, hanging.promise) };
  const mail: Outlet = {
    ...common,
    name: "mail",
    send: (messages) => Promise.resolve(void (sent += messages.length)),
  };
  const outlets = [webhook, mail];
  await withObserver(() => Promise.resolve([]), async (observer, records) => {
    const tell = (incidentId: string) =>
      records.commit(deliverySteps(event(), outlets, { incidentId, now: START }));
    await tell("x");
    const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 1));
    const options = { signal: ending.signal, sleep: turn, onEvent: () => {} };
    const observing = observe(observer, options);
    while (hangs === 0 || sent === 0) await turn();
    await tell("y");
    while (sent < 2) await turn();
    ending.abort();
    hanging.resolve();
    await observing;
    assertEquals(hangs, 1);
  }, outlets);
});

Deno.test("claimRecords: records of another service are rejected, with what to do", () =>
  withWorld([], async ({ records }) => {
    await claimRecords(records, "https://a.example/");
    await claimRecords(records, "https://a.example/");
    await assertRejects(
      () => claimRecords(records, "https://b.example/"),
      OtherServiceError,
      "The records in the database belong to another service; point DATABASE_URL or DATA_DIR",
    );
  }));
