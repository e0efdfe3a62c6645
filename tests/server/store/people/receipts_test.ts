/** Receipts against an oracle in memory: random histories, with late, changed and gone runs. */
import { assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { recipientSpans } from "../../../../lib/runs/recipient_spans.ts";
import { defaultStatusDictionary, type StatusMeaning } from "../../../../lib/runs/status.ts";
import { DAY } from "../../../../lib/time_units.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { sql } from "../../../../server/store/database/sql.ts";
import type { Database } from "../../../../server/store/database/database.ts";
import { observerRecordsOn } from "../../../../server/store/records/observer_records.ts";
import { storedRunsOn } from "../../../../server/store/runs/read_runs.ts";
import { storeOn } from "../../../../server/store/store.ts";
import { clearRuns, storeChanges, storeRuns } from "../../../../server/store/runs/store_runs.ts";
import { testOnBoth, testRecords } from "../on_both.ts";
import { ADA } from "../../../actors.ts";

const SCHEDULES = [101, 102];

const recipient = fc.record({
  userId: fc.constantFrom(1, 2, 3, 0, -1, null),
  displayName: fc.constantFrom("Ada", "Sam"),
  emailAddress: fc.constantFrom("a@example.com", "A@example.com", "b@example.com", null),
});
const run = fc.record({
  startTime: fc.integer({ min: 0, max: 6 }).map((day) => new Date(day * DAY).toISOString()),
  status: fc.constantFrom("success", "success", "failure", "odd", undefined),
  recipients: fc.option(fc.array(recipient, { maxLength: 4 }), { nil: undefined }),
});
/** What an answer has: runs that are newer than all, and others that are late, changed or gone. */
const polls = fc.array(
  fc.record({
    scheduleId: fc.constantFrom(...SCHEDULES),
    newer: fc.array(run, { maxLength: 3 }),
    others: fc.uniqueArray(fc.tuple(fc.nat(8), run), { maxLength: 2, selector: ([id]) => id }),
    gone: fc.uniqueArray(fc.nat(8), { maxLength: 1 }),
  }),
  { minLength: 1, maxLength: 8 },
);

/** Stores polls one after the other; gives the histories, and all recipients that were ever listed. */
async function store(
  database: Database,
  given: typeof polls extends fc.Arbitrary<infer T> ? T : never,
) {
  const { commit } = observerRecordsOn(database);
  const histories = new Map(SCHEDULES.map((id) => [id, new Map<number, ReportRun>()]));
  const listed: ReportRun[] = [];
  let next = 10;
  for (const { scheduleId, newer, others, gone } of given) {
    const read = [
      ...others.map(([id, run]) => ({ id, ...run })),
      ...newer.map((run) => {
        const start = ++next * DAY + Date.parse(run.startTime) / 100;
        return { ...run, id: next, startTime: new Date(start).toISOString() };
      }),
    ].map((run): ReportRun => JSON.parse(JSON.stringify(run)));
    const history = histories.get(scheduleId)!;
    const removed = gone.filter((id) => !read.some((run) => run.id === id));
    for (const run of read) history.set(run.id, run);
    for (const id of removed) history.delete(id);
    listed.push(...read.map((run) => ({ ...run, status: "failure" })));
    const put = read.map((run) => ({ id: run.id, start: Date.parse(run.startTime!), run }));
    await commit([storeChanges(scheduleId, { put, removed }, next)]);
  }
  const all = new Map([...histories].map(([id, history]) => [id, [...history.values()]]));
  return { histories: all, listed };
}

/** What is stored of receipts and of people. */
async function derived(database: Database) {
  return {
    receipts: await database.read(
      sql`SELECT receipts.*, key FROM receipts JOIN people ON people.id = person_id
        ORDER BY schedule_id, person_id`,
    ),
    statuses: await database.read(sql`SELECT * FROM seen_statuses ORDER BY schedule_id, status`),
    histories: await database.read(sql`SELECT * FROM histories ORDER BY schedule_id`),
    people: await database.read(sql`SELECT * FROM people WHERE last IS NOT NULL ORDER BY id`),
  };
}

async function countPending(database: Database): Promise<void> {
  const { receipts } = observerRecordsOn(database);
  for (const id of await receipts.uncounted()) await receipts.count(id);
}

testRecords(
  "receipts: they are the spans of the stored runs, added, counted, or with another meaning",
  async ({ statuses }, database) => {
    const check = async (given: Parameters<typeof store>[1], odd: StatusMeaning) => {
      await database.transaction(clearRuns);
      await statuses.say({}, { actor: ADA, now: 1 });
      const { histories, listed } = await store(database, given);
      await statuses.say({ odd }, { actor: ADA, now: 2 });
      await countPending(database);
      const added = await derived(database);
      // Who is who is also known from runs that changed or are gone.
      const dictionary = { ...defaultStatusDictionary(), odd };
      const spans = recipientSpans(new Map([...histories, [0, listed]]), dictionary);
      const rows = await database.read<Record<string, number | string | null>>(
        sql`SELECT schedule_id, people.user_id, receipts.first, receipts.last, receipts.runs,
            receipts.receiving, json
          FROM receipts JOIN people ON people.id = receipts.person_id
            JOIN forms ON forms.id = receipts.form_id`,
      );
      assertEquals(
        rows.map(({ json: _, ...row }) => Object.values(row).join()).sort(),
        spans.map(({ scheduleId, userId, first, last, runs, receiving }) =>
          [scheduleId, userId, Date.parse(first), Date.parse(last), runs, receiving ? 1 : 0].join()
        ).sort(),
      );
      await database.write(sql`UPDATE histories SET is_counted = 0`);
      await countPending(database);
      assertEquals(await derived(database), added);
    };
    // Without another meaning, receipts stay as they were added.
    const meaning = fc.constantFrom("unknown", "unknown", "good", "bad");
    const numRuns = { sqlite: 400, postgresql: 12 }[database.system];
    await fc.assert(fc.asyncProperty(polls, meaning, check), { numRuns });
  },
);

const START_TIME = new Date(DAY).toISOString();

/** Stores runs of schedule 101 at once. */
const storeAt = (database: Database, ...runs: readonly ReportRun[]) =>
  database.transaction((transaction) => {
    const rows = runs.map((run) => ({
      ...{ scheduleId: 101, run, start: Date.parse(run.startTime!) },
    }));
    return storeRuns(transaction, rows, 1);
  });

testOnBoth("storeRuns: transactions at once make one person of one", async (database) => {
  const recipients = [{ userId: 1, emailAddress: "ada@example.com" }, { userId: 2 }];
  const store = (scheduleId: number) =>
    database.transaction((transaction) => {
      const run = { id: 1, status: "success", recipients };
      return storeRuns(transaction, [{ scheduleId, start: scheduleId, run }], 1);
    });
  await Promise.all(Array.from({ length: 12 }, (_, at) => store(at)));
  const people = await database.read(
    sql`SELECT key, schedules, receiving, last FROM people ORDER BY key`,
  );
  assertEquals(people.map((person) => Object.values(person as object)), [
    ["u1", 12, 12, 11],
    ["u2", 12, 12, 11],
  ]);
});

testRecords(
  "storeRuns: a run that may be going is not unknown, also beside another one",
  async ({ statuses }, database) => {
    const good = { startTime: START_TIME, status: "success" };
    await storeAt(database, { id: 1, ...good }, { id: 2, startTime: START_TIME });
    assertEquals(await statuses.unknown(), []);
    await storeAt(database, { id: 3, ...good, startTime: new Date(2 * DAY).toISOString() });
    assertEquals((await statuses.unknown()).map(({ runs }) => runs), [1]);
  },
);

testOnBoth("storeRuns: texts of any length are stored, but give no address", async (database) => {
  // Without a pattern that compression could use.
  const long = Array.from({ length: 2000 }, (_, at) => (at * at * 7919 % 46_649).toString(36))
    .join("");
  const userId = 1;
  const recipients = [`${long}@x.example`, `a@${long}`]
    .map((emailAddress, at) => at === 0 ? { emailAddress } : { emailAddress, userId });
  const run: ReportRun = { id: 1, startTime: START_TIME, status: long, recipients };
  await storeAt(database, run);
  const [stored] = await storedRunsOn(database).newest(101, 1);
  assertEquals(stored.run, run);
  assertEquals(await database.read(sql`SELECT user_id FROM people`), [{ userId }]);
});

testOnBoth("storedRunsOn: runs with the same recipients share one list", async (database) => {
  const recipients = [{ userId: 1, emailAddress: "a@x.example" }];
  const rows = [[1, recipients], [2, [...recipients]], [3, null]] as const;
  const runs = rows.map(([id, recipients]): ReportRun => ({
    ...{ id, status: "success", recipients },
    startTime: new Date(DAY + id).toISOString(),
  }));
  await storeAt(database, ...runs);
  const [third, second, first] = await storedRunsOn(database).newest(101, 3);
  assertEquals([first.run, second.run, third.run], runs);
  assertStrictEquals(first.run.recipients, second.run.recipients);
});

testOnBoth(
  "watches.forget: nobody receives a removed schedule, until it is added or imported again",
  async (database) => {
    const records = observerRecordsOn(database);
    const { commit, people, receipts, recipientDecisions, retention, statuses, watches } = records;
    const recipients = [{ userId: 1 }];
    for (const scheduleId of SCHEDULES) {
      const put = [1, 2].map((id) => ({
        ...{ id, start: id * DAY },
        run: { id, status: "success", recipients },
      }));
      await watches.add([scheduleId], 1, {}, undefined, { watched: 0 });
      await commit([storeChanges(scheduleId, { put }, 1)]);
    }
    const id = (await people.find(1))!;
    const decision = { personId: id, domain: null, expected: 0, why: "", actor: ADA, until: null };
    await recipientDecisions.add(
      SCHEDULES.map((scheduleId) => ({ ...decision, scheduleId, at: 9 * DAY })),
    );
    const received = async () => {
      const worklist = await recipientDecisions.worklist({ limit: 9 }, 9 * DAY);
      return [
        (await people.get(id))!.receiving,
        (await people.receipts([id])).map(({ scheduleId }) => scheduleId).sort(),
        worklist.items.map(({ scheduleId }) => scheduleId),
      ];
    };
    const [first, second] = SCHEDULES;
    assertEquals(await received(), [2, SCHEDULES, SCHEDULES]);
    // They are to be counted again when the schedule is removed.
    await statuses.say({ success: "bad" }, { actor: ADA, now: 9 * DAY });
    await statuses.say({}, { actor: ADA, now: 9 * DAY });
    assertEquals(await watches.forget(first), true);
    for (const scheduleId of await receipts.uncounted()) await receipts.count(scheduleId);
    await retention.removeRunsBefore(2 * DAY);
    assertEquals(await received(), [1, [second], [second]]);
    await watches.add([first], 9 * DAY, {}, undefined, { watched: 0 });
    for (const scheduleId of await receipts.uncounted()) await receipts.count(scheduleId);
    assertEquals(await received(), [2, SCHEDULES, SCHEDULES]);
    await watches.forget(first);
    const startTime = new Date(5 * DAY).toISOString();
    const run = { id: 5, status: "success", startTime, recipients };
    await storeOn(database).put({ runs: [{ scheduleId: first, run }], known: [first] });
    assertEquals((await people.receipts([id])).map(({ runs }) => runs).sort(), [1, 2]);
  },
);
