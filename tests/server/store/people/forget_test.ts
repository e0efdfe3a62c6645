import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Recipient, ReportRun } from "../../../../lib/types.ts";
import { insert, sql } from "../../../../server/store/database/sql.ts";
import type { Database } from "../../../../server/store/database/database.ts";
import { isProblemError } from "../../../../server/http/problem.ts";
import { forgetPerson } from "../../../../server/store/people/forget.ts";
import { putFileSets } from "../../../../server/store/file_sets/write.ts";
import { insertIncident, updateIncident } from "../../../../server/store/records/incidents.ts";
import { endOfPoll } from "../../../../server/store/records/polls.ts";
import { clearRuns, storeRuns } from "../../../../server/store/runs/store_runs.ts";
import { ADA } from "../../../actors.ts";
import { eventually } from "../../../eventually.ts";
import { SYSTEMS, testRecords as test } from "../on_both.ts";
import { incident, NOW } from "../records/incident.ts";
import { fileSet } from "../rows.ts";

const ADDRESSES = ["ada@example.com", "sam@example.com", "kim@example.org"];

const recipient = fc.record({
  userId: fc.constantFrom(1, 2, 0, null),
  displayName: fc.constantFrom("Ada Byron", "Sam Okafor", "Kim"),
  emailAddress: fc.constantFrom(...ADDRESSES, "ADA@example.com", null),
});
const lists = fc.array(fc.array(recipient, { maxLength: 4 }), { minLength: 1, maxLength: 6 });

function store(database: Database, drawn: readonly (readonly Recipient[])[]) {
  const runs = drawn.map((recipients, id) => ({
    scheduleId: 7,
    start: id,
    run: { id, status: "success", startTime: new Date(id).toISOString(), recipients } as ReportRun,
  }));
  return database.transaction((transaction) => storeRuns(transaction, runs, 1));
}

/** Everybody but one person, with what they received and how they are listed. */
const everybodyElse = (database: Database, id: number) =>
  database.read(
    sql`SELECT people.id, people.user_id, key, domain, folded, people.last, schedules, runs,
        receipts.receiving, json, (SELECT count(*) FROM recipient_decisions
          WHERE person_id = people.id) AS decisions
      FROM people JOIN receipts ON receipts.person_id = people.id
        JOIN forms ON forms.id = people.form_id
      WHERE people.id <> ${id} ORDER BY people.id`,
  );

test("forgetPerson: the address is nowhere, everybody else as before", async (records) => {
  const { recipientDecisions, runs, watches, database } = records;
  await watches.add([7], 1);
  const listed = ADDRESSES.join(", ");
  const named = fileSet(1, { id: listed, owner: `${listed} and others` });
  const read = async () =>
    (await runs.newestTexts(7, 9)).map(({ text }) => (JSON.parse(text) as ReportRun).recipients!);
  const check = async (drawn: readonly (readonly Recipient[])[], person: number | string) => {
    await database.transaction(clearRuns);
    for (const table of [sql`forgotten`, sql`recipient_decisions`]) {
      await database.write(sql`DELETE FROM ${table}`);
    }
    await store(database, drawn);
    await database.transaction((transaction) => putFileSets(transaction, [named]));
    await watches.change(7, { owner: listed.toUpperCase() }, 1);
    const isNamed = typeof person === "number"
      ? sql`user_id = ${person}`
      : sql`address = ${person}`;
    const [form] = await database.read<{ personId: number }>(
      sql`SELECT person_id FROM forms WHERE ${isNamed} AND person_id IS NOT NULL`,
    );
    const personId = form?.personId ?? -1;
    const people = await database.read<{ id: number }>(sql`SELECT id FROM people`);
    const decision = { domain: null, scheduleId: 7, expected: 0, why: "Kim told me", actor: ADA };
    await recipientDecisions.add(
      people.map(({ id }) => ({ ...decision, personId: id, at: 1, until: null })),
    );
    const [before, histories] = [await everybodyElse(database, personId), await read()];
    try {
      const { addresses } = await forgetPerson(database, person);
      const after = await read();
      const theirs = after.flat().filter(({ userId }) => (userId ?? 0) < 0);
      assert(theirs.every(({ userId }) => userId === -personId));
      const texts = await Promise.all([
        database.read(sql`SELECT * FROM people`),
        database.read(sql`SELECT * FROM forms`),
        database.read(sql`SELECT * FROM file_sets JOIN file_set_json USING (key)`),
        watches.list(),
      ]);
      const all = JSON.stringify([after, texts]).toLowerCase();
      assertEquals([...addresses].filter((address) => all.includes(address)), []);
      const [{ owner }] = await watches.list();
      const erased = ADDRESSES.filter((each) => !owner.includes(each.toUpperCase()));
      assertEquals(erased, ADDRESSES.filter((each) => addresses.has(each)));
      const decided = sql`SELECT why FROM recipient_decisions WHERE person_id = ${personId}`;
      assertEquals(await database.read(decided), []);
      // Nobody else's entries changed.
      for (const [at, recipients] of after.entries()) {
        for (const [place, one] of recipients.entries()) {
          if ((one.userId ?? 0) >= 0) assertEquals(one, histories[at][place]);
        }
      }
      assertEquals(await store(database, drawn), { added: 0, changed: 0 });
      assertEquals(await read(), after);
    } catch (error) {
      if (!isProblemError(error) || error.problem.status !== 409) throw error;
      assertEquals(await read(), histories);
    }
    assertEquals(await everybodyElse(database, personId), before);
  };
  const person = fc.constantFrom(1, 2, ...ADDRESSES);
  const numRuns = { sqlite: 40, postgresql: 3 }[database.system];
  await fc.assert(fc.asyncProperty(lists, person, check), { numRuns });
});

Deno.test("forgetPerson: runs are stored while it looks through file sets (PostgreSQL)", () =>
  SYSTEMS.PostgreSQL(async (database) => {
    const ada = { userId: 1, displayName: "Ada Byron", emailAddress: ADDRESSES[0] };
    await store(database, [[ada]]);
    const [held, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = database.transaction(async ({ write }) => {
      await write(sql`LOCK TABLE file_set_json`);
      held.resolve();
      await end.promise;
    });
    await held.promise;
    const forgetting = forgetPerson(database, 1);
    const waiting = sql`SELECT count(*) AS waiting FROM pg_locks WHERE NOT granted`;
    await eventually(async () => assertEquals(await database.read(waiting), [{ waiting: 1 }]));
    assertEquals(await store(database, [[ada], [ada]]), { added: 1, changed: 0 });
    end.resolve();
    await holding;
    assertEquals((await forgetting).runs, 2);
  }));

Deno.test("forgetPerson: two at once leave neither in a file set that names both (PostgreSQL)", () =>
  SYSTEMS.PostgreSQL(async (database) => {
    const both = ADDRESSES.slice(0, 2);
    await store(database, [both.map((emailAddress, at) => ({ userId: at + 1, emailAddress }))]);
    const owner = ADDRESSES.join(" and ");
    const named = Array.from({ length: 50 }, (_, at) => fileSet(at, { owner }));
    await database.transaction((transaction) => putFileSets(transaction, named));
    await Promise.all([1, 2].map((userId) => forgetPerson(database, userId)));
    const rows = await database.read<{ json: string }>(sql`SELECT json FROM file_set_json`);
    const left = rows.filter(({ json }) => both.some((address) => json.includes(address)));
    assertEquals([rows.length, left], [50, []]);
  }));

test("forgetPerson: whoever has read the person's texts before can't write them", async (records) => {
  const { watches, polls, incidents, commit, database } = records;
  await watches.add([7], NOW);
  await commit([insertIncident(incident("a"))]);
  const [watch] = await polls.claim("a", NOW, NOW + 9);
  const seen = (await incidents.get("a"))!;
  await forgetPerson(database, ADDRESSES[0]);
  const steps = [endOfPoll(watch, { polled: NOW }, NOW + 9), updateIncident(seen)];
  for (const step of steps) assertEquals(await commit([step]), false);
});

test("forgetPerson: also whom a database can't store as listed", async ({ runs, database }) => {
  const people = ["A\0da Byron", "\ud800Sam Okafor"].map((displayName, at) => ({
    userId: at + 1,
    displayName,
    emailAddress: `${displayName.slice(0, 2)}a@example.com`,
  }));
  await store(database, [people]);
  const value = JSON.stringify({ title: `For ${people[0].displayName}` });
  await database.write(insert("metadata", [{ name: "title", value }]));
  await database.write(insert("leavers", [{ address: "aa@example.com", leftAt: 1, addedAt: 1 }]));
  for (const { userId } of people) assertEquals((await forgetPerson(database, userId)).runs, 1);
  const [{ run }] = await runs.newest(7, 1);
  const names = run.recipients!.map(({ displayName }) => displayName);
  assertEquals(names, ["forgotten person", "forgotten person"]);
  const titles = sql`SELECT value FROM metadata WHERE name = 'title'`;
  assertEquals(await database.read(titles), [{ value: '{"title":"For forgotten person 1"}' }]);
  assertEquals(await database.read(sql`SELECT address FROM leavers`), []);
});
