import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import {
  createVisibleTo,
  recordsOfSchedules,
  requireAllVisible,
  requireVisible,
} from "../../../server/backend/visible_schedules.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import {
  type ObserverRecords,
  observerRecordsOn,
} from "../../../server/store/observer/observer_records.ts";
import { insertDelivery } from "../../../server/store/observer/deliveries.ts";
import type { StoredIncident } from "../../../server/store/observer/types.ts";
import { withSqlite } from "../store/sqlite/with_sqlite.ts";

const ADA = { name: "Ada", known: "typed" } as const;

const SESSION = { id: "", startedAt: 0, sealedAt: 0, service: "", token: "t" };
const SIGNED_IN = { session: SESSION, token: "t" };

/** What a person sees who may see these schedules, if those exist and some were not asked about. */
const seeing = (ids: readonly number[], hidden: readonly number[] = [], unchecked = hidden) => ({
  ids: new Set(ids),
  hidden: new Set(hidden),
  unchecked: new Set(unchecked),
});

const test = (name: string, work: (records: ObserverRecords) => Promise<void>) =>
  Deno.test(name, () => withSqlite((engine) => work(observerRecordsOn(engine))));

test("requireVisible: a schedule that was not asked about yet is not called hidden", async (records) => {
  const status = (ids: readonly number[]) => {
    const visible = seeing([1], [2, 3], [2]);
    const problem = assertThrows(() => requireVisible(visible, ids), ProblemError).problem;
    return [problem.status, problem.detail, problem.retryAfterSeconds];
  };
  const unsaid = "The service did not say yet whether you may see schedule 2: try again";
  assertEquals(status([1, 2]), [503, unsaid, 5]);
  assertStringIncludes(String(status([2, 3])[1]), "schedule 3 is hidden from you");
  await records.watches.add([1, 2], 1, { note: "Finance" });
  const { owners } = recordsOfSchedules(records, seeing([1], [2]));
  await assertRejects(() => owners.remove("Finance", { actor: ADA, now: 1 }), Error, unsaid);
});

test("recordsOfSchedules: people who see only some of an owner's schedules can't rename the owner", async (records) => {
  const by = { actor: ADA, now: 1 };
  await records.watches.add([1, 2], 1, { note: "Finance" });
  await records.owners.save({ name: "Finance", quiet: null, changed: 1, actor: ADA }, {});
  const some = recordsOfSchedules(records, seeing([1])).owners;
  await assertRejects(() => some.rename("finance", "Money", by), Error, "may not read all");
  assertEquals((await records.watches.get(2))?.note, "Finance");
  const all = recordsOfSchedules(records, seeing([1, 2])).owners;
  assertEquals(await all.rename("Finance", "Money", by), true);
});

test("recordsOfSchedules: decisions are made and taken back by those who see the schedules they are on", async (records) => {
  const actor = ADA;
  await records.watches.add([1, 2], 1, {});
  await records.commit([{ text: "UPDATE known_schedules SET polled = 1", values: [] }]);
  const on = { personId: 7, domain: null, expected: 1, why: "", actor, at: 1, until: null };
  const made = [null, 1, 2].map((scheduleId) => ({ ...on, scheduleId }));
  await records.recipientDecisions.add(made);
  const left = async () =>
    (await records.recipientDecisions.of([7], [], 2)).map(({ scheduleId }) => scheduleId);
  const some = recordsOfSchedules(records, seeing([1])).recipientDecisions;
  for (const decision of await records.recipientDecisions.of([7], [], 2)) {
    const withdraw = () => some.withdraw(decision, { actor, now: 2 });
    if (decision.scheduleId === 1) await withdraw();
    else await assertRejects(withdraw, Error, "may not read all");
  }
  assertEquals(await left(), [2, null]);
  for (const decision of [made[0], made[2]]) {
    await assertRejects(() => some.add([decision]), Error, "may not read all");
  }
  await some.add([made[1]]);
  assertEquals(await left(), [1, 2, null]);
});

test("recordsOfSchedules: lists are narrowed before they are cut, and counts with them", async (all) => {
  await all.watches.add([1, 2], 1, {});
  for (const [scheduleId, userId, start] of [[2, 7, 5], [1, 8, 50], [1, 9, 99]]) {
    const recipients = [{ userId, emailAddress: `${userId}@partner.example.net` }];
    const put = [{ id: userId, start, run: { id: userId, status: "success", recipients } }];
    await all.commit(await all.runs.changeSteps(scheduleId, { put }, 1));
    await all.receipts.count(scheduleId);
  }
  const [hidden, seen] = [await all.people.find(7), await all.people.find(8)];
  const said = { domain: null, expected: 0, why: "", actor: ADA, at: 1, until: null };
  await all.recipientDecisions.add([
    { ...said, personId: hidden!, scheduleId: 2 },
    { ...said, personId: seen!, scheduleId: 1 },
  ]);
  const calendar = { days: ["2026-12-24"], changed: 1, actor: ADA };
  await all.calendars.save({ ...calendar, name: "Both", scheduleIds: [1, 2] });
  await all.calendars.save({ ...calendar, name: "Other", scheduleIds: [2] });
  const values = "'overdue', 'critical', '{}', 1, 1, 0";
  for (const scheduleId of [1, 2]) {
    const text =
      "INSERT INTO incidents (id, schedule_id, version, code, severity, reason, opened, seen, flaps) " +
      `VALUES ('${scheduleId}', ${scheduleId}, 1, ${values})`;
    const message = { outlet: "webhook", event: "incident.opened", created: scheduleId };
    const [id, incidentId] = [`message ${scheduleId}`, String(scheduleId)];
    await all.commit([{ text, values: [] }, insertDelivery({ ...message, id, incidentId }, 1)]);
  }
  const some = recordsOfSchedules(all, seeing([1], [2]));
  const worklist = await some.recipientDecisions.worklist({ limit: 1 });
  assertEquals([worklist.total, worklist.items.map(({ personId }) => personId)], [1, [seen!]]);
  const filter = { home: [""], newDomains: ["partner.example.net"], now: 100 };
  assertEquals((await some.people.count({ group: "all", ...filter })).new, 1);
  assertEquals((await some.calendars.list()).map(({ scheduleIds }) => scheduleIds), [[1]]);
  const waiting = async ({ deliveries }: typeof all) =>
    (await deliveries.health()).map(({ waiting }) => waiting);
  assertEquals([await waiting(all), await waiting(some)], [[2], [1]]);
});

test("recordsOfSchedules: an incident is there only for those who see its schedule", async (records) => {
  const found = { scheduleId: 2 } as StoredIncident;
  const incidents = { ...records.incidents, get: () => Promise.resolve(found) };
  const seen = (ids: number[]) =>
    recordsOfSchedules({ ...records, incidents }, seeing(ids)).incidents.get("2-overdue");
  assertEquals([await seen([1]), await seen([1, 2])], [undefined, found]);
});

test("recordsOfSchedules: a schedule that was never read keeps nobody from what concerns all", async (records) => {
  await records.watches.add([1, 404], 1, {});
  const visible = seeing([1], [404], []);
  const { leavers } = recordsOfSchedules(records, visible);
  await leavers.clear();
  await requireAllVisible(visible, records);
  const read = "UPDATE known_schedules SET polled = 1 WHERE schedule_id = 404";
  await records.commit([{ text: read, values: [] }]);
  await assertRejects(() => leavers.clear(), Error, "schedule 404 is hidden from you");
  const all = requireAllVisible(visible, records);
  await assertRejects(() => all, Error, "schedule 404 is hidden from you");
});

test("createVisibleTo: what waits for a service that fails does not ask it too", async (records) => {
  let calls = 0;
  const failing = () => {
    calls++;
    return new Promise<never>((_, reject) => setTimeout(() => reject(new Error("away")), 50));
  };
  const service = {
    kind: "upstream" as const,
    records,
    backendFor: () => ({ fileSets: { search: failing }, reportSchedules: { history: failing } }),
  };
  const visibleTo = createVisibleTo(service, { allReadRecords: false }, { waitMs: 500 });
  const ask = () => visibleTo(SIGNED_IN, { requestId: "r" }, () => Promise.resolve([1, 2]));
  const seen = await Promise.all([ask(), ask(), ask()]);
  assertEquals(seen.map((each) => each?.unchecked.size), [2, 2, 2]);
  assertEquals(calls, 2);
  await ask();
  assertEquals(calls, 4);
});

test("createVisibleTo: answers are asked for again before they expire, and a reader never waits for that", async (records) => {
  const asked: number[] = [];
  let answer = Promise.resolve<never[]>([]);
  const history = (id: number) => {
    asked.push(id);
    return answer;
  };
  const service = {
    kind: "upstream" as const,
    records,
    backendFor: () => ({
      fileSets: { search: () => answer as never },
      reportSchedules: { history },
    }),
  };
  let now = 0;
  const options = { now: () => now, waitMs: 60_000 };
  const visibleTo = createVisibleTo(service as never, { allReadRecords: false }, options);
  const see = async () => {
    const seen = await visibleTo(SIGNED_IN, { requestId: "r" }, () => Promise.resolve([1]));
    return [[...seen!.ids], seen!.unchecked.size, asked.length];
  };
  assertEquals([await see(), await see()], [[[1], 0, 1], [[1], 0, 1]]);
  now = 4 * 60_000;
  const { promise, resolve } = Promise.withResolvers<never[]>();
  answer = promise;
  assertEquals(await see(), [[1], 0, 2]);
  resolve([]);
  await promise;
  now = 6 * 60_000;
  assertEquals(await see(), [[1], 0, 2]);
});
