import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { DAY } from "../../../../lib/time_units.ts";
import { recipientSpans } from "../../../../lib/runs/recipient_spans.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import type { Engine } from "../../../../server/store/engine.ts";
import { receiptsOn } from "../../../../server/store/ledger/receipts.ts";
import { OBSERVED } from "../../../../server/store/ledger/source.ts";
import { versionSteps } from "../../../../server/store/ledger/versions.ts";
import { observerRecordsOn } from "../../../../server/store/records/observer_records.ts";
import { openPostgres } from "../../../../server/store/postgres/open_postgres.ts";
import { openSqlite } from "../../../../server/store/sqlite/open_sqlite.ts";
import { server } from "../postgres/shared.ts";

const SCHEDULES = [101, 102];

const recipient = fc.record({
  userId: fc.constantFrom(1, 2, 3, 0, -1, null),
  displayName: fc.constantFrom("Ada", "Sam"),
  emailAddress: fc.constantFrom("a@example.com", "A@example.com", "b@example.com", null),
});
const run = fc.record({
  id: fc.integer({ min: 1, max: 6 }),
  startTime: fc.integer({ min: 0, max: 4 }).map((day) => new Date(day * DAY).toISOString()),
  status: fc.constantFrom("success", "failure"),
  recipients: fc.option(fc.array(recipient, { maxLength: 4 })),
});
/** What polls read, one after the other; ids that come again have changed. */
const polls = fc.array(
  fc.record({
    scheduleId: fc.constantFrom(...SCHEDULES),
    put: fc.uniqueArray(run, { maxLength: 4, selector: ({ id }) => id }),
    isCounted: fc.boolean(),
  }),
  { maxLength: 6 },
);

const ENGINES = {
  SQLite: { runs: 400, open: () => openSqlite({ path: ":memory:" }) },
  PostgreSQL: {
    runs: 15,
    open: async () => await openPostgres({ url: await server.createSchemaDatabase() }),
  },
};

for (const [name, { runs: numRuns, open }] of Object.entries(ENGINES)) {
  const test = (words: string, work: (engine: Engine) => Promise<void>) =>
    Deno.test(`${name} ledger: ${words}`, async () => {
      const engine = await open();
      try {
        await work(engine);
      } finally {
        await engine.close();
      }
    });

  test("receipts are the spans of the runs that were read last", async (engine) => {
    const records = observerRecordsOn(engine);
    const receipts = receiptsOn(engine, OBSERVED);
    const check = async (given: typeof polls extends fc.Arbitrary<infer T> ? T : never) => {
      await engine.clear();
      const histories = new Map(
        SCHEDULES.map((id) => [id, new Map<number, ReportRun>()] as const),
      );
      const replaced: ReportRun[] = [];
      const countAll = async () => {
        for (const id of await receipts.uncounted(9)) await receipts.count(id);
      };
      for (const { scheduleId, put, isCounted } of given) {
        for (const one of put) {
          const history = histories.get(scheduleId)!;
          const before = history.get(one.id);
          // Who is who is also known from versions that were replaced.
          if (before) replaced.push({ ...before, status: "failure" });
          history.set(one.id, one);
        }
        const read = put.map((run) => ({ id: run.id, start: Date.parse(run.startTime), run }));
        const steps = await records.runs.changeSteps(scheduleId, { put: read }, 1);
        assert(await records.commit(steps));
        if (isCounted) await countAll();
      }
      await countAll();
      const spans = recipientSpans(
        new Map([
          ...[...histories].map(([id, history]) => [id, [...history.values()]] as const),
          [0, replaced] as const,
        ]),
      );
      const expected = spans.map((span) => [
        span.scheduleId,
        span.userId,
        Date.parse(span.first),
        Date.parse(span.last),
        span.runs,
        span.receiving ? 1 : 0,
      ]).map(String).sort();
      const stored = await engine.rows(
        "SELECT receipts.schedule_id, people.user_id, receipts.first, receipts.last, " +
          "receipts.runs, receipts.receiving FROM receipts JOIN people " +
          "ON people.id = receipts.person_id WHERE receipts.source = ?",
        [OBSERVED],
      );
      assertEquals(stored.map(String).sort(), expected);
      const people = await engine.rows(
        "SELECT schedules, receiving, first, last FROM people WHERE last IS NOT NULL",
      );
      const sum = (at: number) => people.reduce((total, row) => total + (row[at] as number), 0);
      assertEquals([sum(0), sum(1)], [
        spans.length,
        spans.filter(({ receiving }) => receiving).length,
      ]);
      for (const [id, history] of histories) {
        const texts = (await records.runs.newestTexts(id, 99)).map(({ text }) => JSON.parse(text));
        const ordered = (list: ReportRun[]) => list.map(listed).sort();
        assertEquals(ordered(texts), ordered([...history.values()]));
      }
    };
    await fc.assert(fc.asyncProperty(polls, check), { numRuns });
  });

  test("nothing that was read is overwritten, and nothing is lost with a watch", async (engine) => {
    const { runs, watches, commit } = observerRecordsOn(engine);
    const put = async (status: string, at: number, ids = [1]) =>
      await commit(
        await runs.changeSteps(7, {
          put: ids.map((id) => ({ id, start: DAY, run: { id, status, recipients: [] } })),
        }, at),
      );
    await watches.add([7], 1);
    await put("running", 1);
    await put("success", 2, [1, 2]);
    await put("success", 3, [1, 2]);
    await commit(await runs.changeSteps(7, { put: [], removed: [2] }, 4));
    await watches.remove(7);
    await put("success", 5, [2]);
    const text =
      "SELECT id, status, read_at, until, replaced FROM run_versions ORDER BY id, read_at";
    assertEquals(await engine.rows(text), [
      [1, "running", 1, 2, 1],
      [1, "success", 2, null, 0],
      [2, "success", 2, 4, 1],
      [2, "success", 5, null, 0],
    ]);
  });

  test("runs that have the same recipients share a set, whatever their order", async (engine) => {
    const { runs, commit } = observerRecordsOn(engine);
    const [ada, sam] = [{ userId: 1 }, { userId: 2 }];
    const lists = [[ada, sam], [sam, ada], [ada], []];
    await commit(
      await runs.changeSteps(7, {
        put: lists.map((recipients, id) => ({ id, start: id, run: { id, recipients } })),
      }, 1),
    );
    const count = async (table: string) =>
      (await engine.rows(`SELECT count(*) FROM ${table}`))[0][0];
    assertEquals([await count("recipient_sets"), await count("people")], [3, 2]);
  });

  test("people are counted, listed, found, decided on and noted as leavers", async (engine) => {
    const { runs, receipts, people, recipientDecisions, leavers, watches, commit } =
      observerRecordsOn(engine);
    await watches.add([7], 1);
    const at = (name: string, domain: string, userId: number) => ({
      userId,
      displayName: name,
      emailAddress: `${name.toLowerCase()}@${domain}`,
    });
    const [ada, sam] = [at("Ada", "example.com", 1), at("Sam", "example.com", 2)];
    const rowan = at("Rowan_", "partner.example.net", 3);
    const lists = [[ada, sam], [ada, sam, rowan], [ada, rowan]];
    const put = lists.map((recipients, id) => ({
      id,
      start: id * DAY,
      run: { id, startTime: new Date(id * DAY).toISOString(), status: "success", recipients },
    }));
    await commit(await runs.changeSteps(7, { put }, 1));
    await receipts.count(7);
    const domains = await people.byDomain();
    assertEquals(domains.map(({ domain, people, stopped }) => [domain, people, stopped]), [
      ["example.com", 2, 1],
      ["partner.example.net", 1, 0],
    ]);
    const now = 3 * DAY;
    const newDomains = ["partner.example.net"];
    const all = { group: "all", home: ["example.com"], newDomains, now } as const;
    assertEquals(await people.count(all), {
      all: 3,
      new: 1,
      outside: 1,
      left: 0,
      stopped: 1,
    });
    assertEquals((await people.count({ ...all, newDomains: [] })).new, 0);
    const ids = async (filter: Partial<Parameters<typeof people.list>[0]>) =>
      (await people.list({ ...all, ...filter }, { limit: 9 })).map(({ userId }) => userId);
    assertEquals((await ids({}))[0], 3);
    assertEquals([await ids({ text: "ROWAN_" }), await ids({ text: "%" })], [[3], []]);
    assertEquals(await ids({ domain: "partner.example.net" }), [3]);
    const { peopleOfSchedule } = observerRecordsOn(engine);
    for (const [id, some] of [[7, 3], [8, 0]] as const) {
      assertEquals((await peopleOfSchedule(id).list(all, { limit: 9 })).length, some);
      assertEquals((await peopleOfSchedule(id).count(all)).all, some);
    }
    const id = (await people.find("rowan_@PARTNER.example.net"))!;
    assertEquals([await people.find(3), await people.find(4)], [id, undefined]);
    const [receipt] = await people.receipts([id]);
    assertEquals([receipt.first, receipt.runs, receipt.fromStart], [DAY, 2, 0]);
    assertEquals(await people.runAt(7, DAY), 1);
    assertEquals(await people.countAll({ ...all, text: "sam" }), 1);

    const actor = { name: "Ada", known: "typed" } as const;
    const said = {
      personId: id,
      domain: null,
      scheduleId: 7,
      why: "",
      actor,
      at: now,
      until: null,
    };
    await recipientDecisions.add([{ ...said, scheduleId: null, expected: 1 }]);
    await recipientDecisions.add([{ ...said, expected: 0 }]);
    assertEquals(await recipientDecisions.expectedOn(7, now), []);
    assertEquals((await recipientDecisions.expectedOn(8, now)).length, 1);
    // What is said of all takes the place of everything before.
    await recipientDecisions.add([{ ...said, scheduleId: null, expected: 0 }]);
    await recipientDecisions.add([{ ...said, expected: 1 }]);
    await recipientDecisions.judgeAgain({ ...said, expected: 1 });
    assertEquals((await watches.get(7))?.due, now);
    assertEquals((await recipientDecisions.expectedOn(7, now)).length, 1);
    assertEquals(await recipientDecisions.expectedOn(8, now), []);
    assertEquals(await ids({ group: "new" }), []);
    await recipientDecisions.add([{ ...said, expected: 0 }]);
    assertEquals(await recipientDecisions.expectedOn(7, now), []);
    const without = { id: 3, start: 4 * DAY, run: { ...put[2].run, id: 3, recipients: [ada] } };
    await commit(await runs.changeSteps(7, { put: [without] }, 2));
    await receipts.count(7);
    const { items: [task], total } = await recipientDecisions.worklist({ limit: 1 });
    assertEquals(total, 1);
    assertEquals([task.closed, task.closedRun], [4 * DAY, 3]);
    // A later run that lists the person opens the entry again, until one does not.
    const later = async (id: number, run: ReportRun) => {
      const put = [{ id, start: (id + 1) * DAY, run: { ...run, id } }];
      await commit(await runs.changeSteps(7, { put }, id));
      await receipts.count(7);
      const { items: [{ closed, closedRun }] } = await recipientDecisions.worklist({ limit: 1 });
      return [closed, closedRun];
    };
    assertEquals(await later(4, without.run), [4 * DAY, 3]);
    assertEquals(await later(5, { ...put[2].run, status: "failure" }), [4 * DAY, 3]);
    assertEquals(await later(6, put[2].run), [null, null]);
    assertEquals(await later(7, without.run), [8 * DAY, 7]);

    await leavers.add([{ userId: 1, address: null, leftAt: DAY }], now);
    assertEquals([await ids({ group: "left" }), await leavers.count()], [[1], 1]);
    assertEquals((await people.leaversOf(7)).map(({ userId }) => userId), [1]);
    const staff = { userIds: new Set<number>(), addresses: new Set(["sam@example.com"]) };
    assertEquals((await leavers.missingFrom(staff, ["example.com"], now)).length, 1);
    await leavers.clear();
    assertEquals(await ids({ group: "left" }), []);
  });

  test("a person who was known by address stays the same when a user id comes with it", async (engine) => {
    const { runs, receipts, people, commit } = observerRecordsOn(engine);
    const read = async (id: number, userId: number | null) => {
      const recipients = [{ userId, displayName: "Ada", emailAddress: "ada@example.com" }];
      const run = {
        id,
        startTime: new Date(id * DAY).toISOString(),
        status: "success",
        recipients,
      };
      await commit(await runs.changeSteps(7, { put: [{ id, start: id * DAY, run }] }, id));
      await receipts.count(7);
      return await people.find("ada@example.com");
    };
    const person = await read(1, null);
    assertEquals([await read(2, 5), await people.find(5)], [person, person]);
    assertEquals(typeof person, "number");
  });

  test("of two people with one address, each knows the other", async (engine) => {
    const { runs, people, receipts, commit } = observerRecordsOn(engine);
    const at = (userId: number) => ({ userId, emailAddress: "ada@example.com" });
    const run = {
      id: 1,
      status: "success",
      recipients: [at(1), at(2), { ...at(0), userId: null }],
    };
    await commit(await runs.changeSteps(7, { put: [{ id: 1, start: DAY, run }] }, 1));
    await receipts.count(7);
    const others = await people.othersAt((await people.find(1))!);
    assertEquals(others.map(({ userId }) => userId), [2, null]);
    // An address of several people leads to the first of them.
    assertEquals(await people.find("ADA@example.com"), await people.find(1));
  });

  test("what is judged of a history, and what is known of the runs before", async (engine) => {
    const { runs, people, receipts, commit } = observerRecordsOn(engine);
    const put = [null, -5, 1, 2, 3, 4].map((day, id) => ({
      id,
      start: day && day * DAY,
      run: { id, status: "success", recipients: [{ userId: Math.min(id, 3) }] },
    }));
    await commit(await runs.changeSteps(7, { put }, 1));
    await receipts.count(7);
    const since = async (day: number, least: number, most: number) =>
      (await runs.textsSince(7, day * DAY, { least, most })).map(({ id }) => id);
    assertEquals(await since(3, 1, 9), [5, 4]);
    assertEquals([await since(3, 3, 9), await since(0, 1, 2)], [[5, 4, 3], [5, 4]]);
    assertEquals([await runs.firstStart(7, 0), await runs.firstStart(8, 0)], [DAY, null]);
    const before = await people.receivedBefore(7, 3 * DAY);
    assertEquals(before.map(({ recipient, first }) => [recipient.userId, first / DAY]).sort(), [
      [1, -5],
      [2, 1],
      [3, 2],
    ]);
  });

  test("runs before a time are removed, with those whom only they listed", async (engine) => {
    const { runs, retention, commit } = observerRecordsOn(engine);
    const starts = [null, 0, Date.UTC(2025, 0, 1), Date.UTC(2025, 5, 1), Date.UTC(2025, 5, 9)];
    const put = starts.map((start, id) => ({
      id,
      start,
      run: { id, recipients: [{ userId: start === null ? 9 : Math.min(id, 3) }] },
    }));
    await commit(await runs.changeSteps(7, { put }, 1));
    const now = 3 * DAY;
    for (const at of [now, now + DAY]) await retention.removeRunsBefore(Date.UTC(2025, 5, 2), at);
    assertEquals((await runs.newestTexts(7, 9)).map(({ id }) => id), [4, 0]);
    const people = await engine.rows("SELECT user_id FROM people ORDER BY user_id");
    assertEquals(people, [[3], [9]]);
    assertEquals(await retention.retainedSince(), Date.UTC(2025, 5, 2));
  });
}

/** A run with its recipients in an order of their own. */
function listed(run: ReportRun): string {
  const recipients = run.recipients?.map((one) => JSON.stringify(one)).sort();
  return JSON.stringify({ ...run, recipients: recipients ?? null });
}

Deno.test("versionSteps: runs are looked up one by one, however many the source has", async () => {
  const engine = await openSqlite({ path: ":memory:" });
  const read = { scheduleId: 101, run: { id: 1 }, start: null };
  const { steps } = await versionSteps(engine, OBSERVED, [read], 0);
  for (const { text, values } of steps.slice(0, 2)) {
    const plan = await engine.rows(`EXPLAIN QUERY PLAN ${text}`, values);
    const searches = plan.map((step) => String(step[3])).filter((line) =>
      line.includes("SEARCH run_versions")
    );
    assertEquals(searches, [
      "SEARCH run_versions USING INDEX run_versions_by_run (source=? AND schedule_id=? AND id=?)",
    ]);
  }
  await engine.close();
});
