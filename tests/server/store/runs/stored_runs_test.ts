/** Stored runs against an oracle in memory: random histories, with late, changed and gone runs. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type RecipientSpan, recipientSpans } from "../../../../lib/runs/recipient_spans.ts";
import { defaultStatusDictionary, type StatusMeaning } from "../../../../lib/runs/status.ts";
import { timeOf } from "../../../../lib/runs/times.ts";
import { DAY } from "../../../../lib/time_units.ts";
import type { HistoryOptions } from "../../../../lib/client/backend.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { sql } from "../../../../server/store/database/sql.ts";
import type { Database } from "../../../../server/store/database/database.ts";
import { observerRecordsOn } from "../../../../server/store/records/observer_records.ts";
import { storedRunsOn } from "../../../../server/store/runs/read_runs.ts";
import { clearRuns, storeChanges } from "../../../../server/store/runs/store_runs.ts";
import { storeOn } from "../../../../server/store/store.ts";
import { testRecords as test } from "../on_both.ts";
import { runOn } from "../rows.ts";
import { ADA } from "../../../actors.ts";

const SCHEDULES = [101, 102];

/** Members that the interface does not name; some look like a list of recipients. */
const extra = fc.constantFrom<unknown>(
  undefined,
  { recipients: [], text: '"recipients": []' },
  ["recipients", 1.5, null, { a: "é" }],
  "$& $1",
);
const recipient = fc.record({
  userId: fc.constantFrom(1, 2, 3, 0, -1, null),
  displayName: fc.constantFrom("Ada", "Sam"),
  emailAddress: fc.constantFrom("a@example.com", "A@example.com", "b@example.com", null),
});
const run = fc.record({
  before: extra,
  startTime: fc.integer({ min: 0, max: 6 }).map((day) => new Date(day * DAY).toISOString()),
  status: fc.constantFrom("success", "success", "failure", "odd", undefined),
  recipients: fc.option(fc.array(recipient, { maxLength: 4 }), { nil: undefined }),
  after: extra,
});
const undated = run.map(({ startTime: _, ...others }) => others);
/** What an answer has: runs that are newer than all, and others that are late, changed or gone. */
const polls = fc.array(
  fc.record({
    scheduleId: fc.constantFrom(...SCHEDULES),
    newer: fc.array(run, { maxLength: 3 }),
    others: fc.uniqueArray(
      fc.tuple(fc.nat(8), fc.oneof({ weight: 5, arbitrary: run }, undated)),
      { maxLength: 2, selector: ([id]) => id },
    ),
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
    const put = read.map((run) => ({ run }));
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

type Span = Pick<RecipientSpan, "scheduleId" | "userId" | "first" | "last" | "runs" | "receiving">;

const linesOf = (spans: readonly Span[]) =>
  spans.map(({ scheduleId, userId, first, last, runs, receiving }) =>
    [scheduleId, userId, Date.parse(first), Date.parse(last), runs, receiving ? 1 : 0].join()
  ).sort();

/** That the receipts are these spans, and that people's totals are of them. */
async function assertReceipts(database: Database, spans: readonly Span[]): Promise<void> {
  const rows = await database.read<Record<string, number | null>>(
    sql`SELECT schedule_id, people.user_id, receipts.first, receipts.last, receipts.runs,
        receipts.receiving FROM receipts JOIN people ON people.id = receipts.person_id
        JOIN forms ON forms.id = receipts.form_id`,
  );
  assertEquals(rows.map((row) => Object.values(row).join()).sort(), linesOf(spans));
  const [totals] = await database.read<{ schedules: number | null; receiving: number | null }>(
    sql`SELECT sum(schedules) AS schedules, sum(receiving) AS receiving FROM people`,
  );
  const receiving = spans.filter((span) => span.receiving).length;
  assertEquals([Number(totals.schedules), Number(totals.receiving)], [spans.length, receiving]);
}

/** When a run started; those without a start are last. */
const startOf = ({ startTime }: ReportRun) => timeOf(startTime) ?? -1;

const page = fc.record({
  limit: fc.constantFrom(1, 3, 1000),
  skip: fc.constantFrom(0, 1, 2, 9),
}, { requiredKeys: [] });

test("storeRuns: runs stay as they came, and receipts are their spans, whatever changes or goes", async (records) => {
  const { statuses, watches, retention, database } = records;
  const { put, reportSchedules } = storeOn(database);
  await put({ schedules: SCHEDULES });
  const [removed, other] = SCHEDULES;
  await put({ known: SCHEDULES });
  let highestId = 0;
  const countAgain = async () => {
    await database.write(sql`UPDATE histories SET is_counted = 0`);
    await countPending(database);
  };
  const check = async (
    drawn: Parameters<typeof store>[1],
    odd: StatusMeaning,
    page: HistoryOptions,
    isImported: boolean,
    retainedDays: number,
  ) => {
    const assertHistories = async (histories: ReadonlyMap<number, readonly ReportRun[]>) => {
      const { limit = 100, skip = 0 } = page;
      for (const [id, runs] of histories) {
        const sorted = runs.toSorted((a, b) => startOf(b) - startOf(a) || a.id - b.id);
        const answer = await reportSchedules.history(id, page);
        assertEquals(JSON.stringify(answer), JSON.stringify(sorted.slice(skip, skip + limit)));
      }
    };
    await database.transaction(clearRuns);
    await database.write(sql`DELETE FROM metadata`);
    await statuses.say({}, { actor: ADA, now: 1 });
    const { histories, listed } = await store(database, drawn);
    await assertHistories(histories);
    // Nobody gets the id of somebody who was removed.
    const [{ least, most }] = await database.read<{ least: number | null; most: number | null }>(
      sql`SELECT min(id) AS least, max(id) AS most FROM people`,
    );
    assert(least === null || least > highestId);
    highestId = most ?? highestId;

    await statuses.say({ odd }, { actor: ADA, now: 2 });
    await countPending(database);
    const added = await derived(database);
    // Who is who is also known from runs that changed or are gone.
    const dictionary = { ...defaultStatusDictionary(), odd };
    const spansOf = (runs: typeof histories) =>
      recipientSpans(new Map([...runs, [0, listed]]), dictionary);
    const spans = spansOf(histories);
    await assertReceipts(database, spans);
    await countAgain();
    assertEquals(await derived(database), added);

    // Nobody receives a removed schedule, also if it was to be counted, until it is known again.
    await database.write(sql`UPDATE histories SET is_counted = 0`);
    await watches.forget([removed]);
    await countPending(database);
    const others = spans.filter(({ scheduleId }) => scheduleId === other);
    await assertReceipts(database, others);
    if (isImported) await put({ known: SCHEDULES });
    else await watches.add([removed], 1, {}, undefined, { watched: 0 });
    await countPending(database);
    assertEquals(await derived(database), added);

    // When old runs are removed, first dates and the newest run stay, and whom no run lists goes.
    const since = retainedDays * DAY;
    await retention.removeRunsBefore(since);
    const isOld = (run: ReportRun) => startOf(run) >= 0 && startOf(run) < since;
    const left = new Map([...histories].map(([id, runs]) => {
      const newest = Math.max(...runs.map(startOf));
      return [id, runs.filter((run) => !isOld(run) || startOf(run) === newest)];
    }));
    const keyOf = ({ scheduleId, userId, emailAddress }: RecipientSpan) =>
      `${scheduleId} ${userId ?? emailAddress?.toLowerCase()}`;
    const firsts = new Map(spans.map((span) => [keyOf(span), span.first]));
    const stayed = spansOf(left).map((span) => ({ ...span, first: firsts.get(keyOf(span))! }));
    await assertHistories(left);
    await assertReceipts(database, stayed);
    await countAgain();
    await assertReceipts(database, stayed);
    if ([...histories.values()].flat().some(isOld)) {
      const unlisted = sql`SELECT id FROM people WHERE id NOT IN (SELECT person_id FROM forms)`;
      assertEquals(await database.read(unlisted), []);
    }
  };
  // Without another meaning, receipts stay as they were added.
  const meaning = fc.constantFrom("unknown", "unknown", "good", "bad");
  const numRuns = { sqlite: 300, postgresql: 12 }[database.system];
  await fc.assert(fc.asyncProperty(polls, meaning, page, fc.boolean(), fc.nat(16), check), {
    numRuns,
  });
});

test("storeRuns: transactions at once make one person of one", async ({ read, database }) => {
  const recipients = [{ userId: 1, emailAddress: "ada@example.com" }, { userId: 2 }];
  const ids = Array.from({ length: 12 }, (_, id) => id);
  await Promise.all(ids.map((id) => read(id, runOn(1, id, recipients))));
  const people = await database.read(
    sql`SELECT key, schedules, receiving, last FROM people ORDER BY key`,
  );
  const both = { schedules: 12, receiving: 12, last: 11 * DAY };
  assertEquals(people, [{ key: "u1", ...both }, { key: "u2", ...both }]);
});

test("storeRuns: a run that may be going is not unknown, also beside another one", async ({ read, statuses }) => {
  await read(101, runOn(1, 1), { ...runOn(2, 1), status: undefined });
  assertEquals(await statuses.unknown(), []);
  await read(101, runOn(3, 2));
  assertEquals((await statuses.unknown()).map(({ runs }) => runs), [1]);
  const endTime = new Date(3 * DAY + 1).toISOString();
  for (const run of [{ ...runOn(4, 3), status: undefined, endTime }, runOn(5, 4)]) {
    await read(101, run);
    assertEquals((await statuses.unknown()).map(({ runs }) => runs), [2]);
  }
});

test("newest: reads a list once that many runs have", async ({ database, read }) => {
  const recipients = [{ userId: 1, emailAddress: "ada@example.com" }];
  await read(101, ...[1, 2, 3].map((id) => runOn(id, id, recipients)));
  let rows: Promise<unknown> | undefined;
  const { newest } = storedRunsOn({ read: (...asked) => rows = database.read<never>(...asked) });
  for (const { run } of await newest(101, 9)) assertEquals(run.recipients, recipients);
  assertEquals(JSON.stringify(await rows).match(/ada@/g)?.length, 1);
});
