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
import { runOn } from "../rows.ts";
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
  drawn: typeof polls extends fc.Arbitrary<infer T> ? T : never,
) {
  const { commit } = observerRecordsOn(database);
  const histories = new Map(SCHEDULES.map((id) => [id, new Map<number, ReportRun>()]));
  const listed: ReportRun[] = [];
  let next = 10;
  for (const { scheduleId, newer, others, gone } of drawn) {
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
    const check = async (drawn: Parameters<typeof store>[1], odd: StatusMeaning) => {
      await database.transaction(clearRuns);
      await statuses.say({}, { actor: ADA, now: 1 });
      const { histories, listed } = await store(database, drawn);
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

/** Stores runs of a schedule at once. */
const storeAt = (database: Database, scheduleId: number, ...runs: readonly ReportRun[]) =>
  database.transaction((transaction) => {
    const rows = runs.map((run) => ({ scheduleId, run, start: Date.parse(run.startTime!) }));
    return storeRuns(transaction, rows, 1);
  });

testOnBoth("storeRuns: transactions at once make one person of one", async (database) => {
  const recipients = [{ userId: 1, emailAddress: "ada@example.com" }, { userId: 2 }];
  const ids = Array.from({ length: 12 }, (_, id) => id);
  await Promise.all(ids.map((id) => storeAt(database, id, runOn(1, id, recipients))));
  const people = await database.read(
    sql`SELECT key, schedules, receiving, last FROM people ORDER BY key`,
  );
  const both = { schedules: 12, receiving: 12, last: 11 * DAY };
  assertEquals(people, [{ key: "u1", ...both }, { key: "u2", ...both }]);
});

testRecords(
  "storeRuns: a run that may be going is not unknown, also beside another one",
  async (records, database) => {
    const { statuses } = records;
    await storeAt(database, 101, runOn(1, 1), { ...runOn(2, 1), status: undefined });
    assertEquals(await statuses.unknown(), []);
    await storeAt(database, 101, runOn(3, 2));
    assertEquals((await statuses.unknown()).map(({ runs }) => runs), [1]);
    const endTime = new Date(3 * DAY + 1).toISOString();
    for (const run of [{ ...runOn(4, 3), status: undefined, endTime }, runOn(5, 4)]) {
      await storeAt(database, 101, run);
      assertEquals((await statuses.unknown()).map(({ runs }) => runs), [2]);
    }
  },
);

testOnBoth("storeRuns: texts of any length are stored, but give no address", async (database) => {
  // Without a pattern that compression could use.
  const long = Array.from({ length: 2000 }, (_, at) => (at * at * 7919 % 46_649).toString(36))
    .join("");
  const domain = { emailAddress: `a@${long}`, userId: 1 };
  const recipients = [{ emailAddress: `${long}@x.example` }, domain];
  const run: ReportRun = { ...runOn(1, 1, recipients), status: long };
  await storeAt(database, 101, run);
  assertEquals((await storedRunsOn(database).newest(101, 1))[0].run, run);
  assertEquals(await database.read(sql`SELECT user_id FROM people`), [{ userId: 1 }]);
});

testOnBoth("storedRunsOn: runs with the same recipients share one list", async (database) => {
  const recipients = [{ userId: 1, emailAddress: "a@x.example" }];
  const runs = [runOn(3, 3, null), runOn(2, 2, [...recipients]), runOn(1, 1, recipients)];
  await storeAt(database, 101, ...runs);
  const stored = (await storedRunsOn(database).newest(101, 3)).map(({ run }) => run);
  assertEquals(stored, runs);
  assertStrictEquals(stored[1].recipients, stored[2].recipients);
});

testRecords(
  "watches.forget: nobody receives a removed schedule, until it is added or imported again",
  async (records, database) => {
    const { people, recipientDecisions, retention, statuses, watches } = records;
    const now = 9 * DAY;
    const recipients = [{ userId: 1 }];
    const add = (id: number) => watches.add([id], now, {}, undefined, { watched: 0 });
    for (const scheduleId of SCHEDULES) {
      await add(scheduleId);
      await storeAt(database, scheduleId, runOn(1, 1, recipients), runOn(2, 2, recipients));
    }
    const id = (await people.find(1))!;
    const decision = { personId: id, domain: null, expected: 0, why: "", actor: ADA, until: null };
    await recipientDecisions.add(
      SCHEDULES.map((scheduleId) => ({ ...decision, scheduleId, at: now })),
    );
    const received = async () => {
      const worklist = await recipientDecisions.worklist({ limit: 9 }, now);
      return [
        (await people.get(id))!.receiving,
        (await people.receipts([id])).map(({ scheduleId }) => scheduleId).sort(),
        worklist.items.map(({ scheduleId }) => scheduleId),
      ];
    };
    const [first, second] = SCHEDULES;
    assertEquals(await received(), [2, SCHEDULES, SCHEDULES]);
    // They are to be counted again when the schedule is removed.
    await statuses.say({ success: "bad" }, { actor: ADA, now });
    await statuses.say({}, { actor: ADA, now });
    assertEquals(await watches.forget(first), true);
    await countPending(database);
    await retention.removeRunsBefore(2 * DAY);
    assertEquals(await received(), [1, [second], [second]]);
    await add(first);
    await countPending(database);
    assertEquals(await received(), [2, SCHEDULES, SCHEDULES]);
    await watches.forget(first);
    const runs = [{ scheduleId: first, run: runOn(5, 5, recipients) }];
    await storeOn(database).put({ runs, known: [first] });
    assertEquals((await people.receipts([id])).map(({ runs }) => runs).sort(), [1, 2]);
  },
);
