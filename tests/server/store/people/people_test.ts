import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { DAY } from "../../../../lib/time_units.ts";
import type { Recipient, ReportRun } from "../../../../lib/types.ts";
import { createSealing } from "../../../../server/auth/sealing.ts";
import { isProblemError } from "../../../../server/http/problem.ts";
import type { Database } from "../../../../server/store/database/database.ts";
import { sql } from "../../../../server/store/database/sql.ts";
import { putFileSets } from "../../../../server/store/file_sets/write.ts";
import { forgetPerson } from "../../../../server/store/people/forget.ts";
import { insertIncident, updateIncident } from "../../../../server/store/records/incidents.ts";
import { endOfPoll } from "../../../../server/store/records/polls.ts";
import { clearRuns, storeRuns } from "../../../../server/store/runs/store_runs.ts";
import { ADA, BY_ADA } from "../../../actors.ts";
import { SYSTEMS, testRecords as test } from "../on_both.ts";
import { incident, NOW } from "../records/stored_rows.ts";
import { fileSet, runOn } from "../rows.ts";

const HOME = "a_b.example";
/** It would be inside if the line in that name stood for any letter. */
const PARTNERS = "mail.axb.example";

/** A recipient at a domain, such as Ada at ada@a_b.example. */
const at = (displayName: string, domain: string, userId: number): Recipient => ({
  userId,
  displayName,
  emailAddress: `${displayName.toLowerCase()}@${domain}`,
});

/** A decision that somebody is not expected on schedule 7. */
const SAID = { domain: null, scheduleId: 7, expected: 0, why: "So", at: 3 * DAY, until: null };

test("people: counted, listed, found, inside or outside, or left", async (records) => {
  const { people, leavers, watches, database } = records;
  await watches.add([7], 1);
  const [ada, sam] = [at("Ada", HOME, 1), at("Sam", `mail.${HOME}`, 2)];
  const rowan = at("Rowan_", PARTNERS, 3);
  const lists = [[ada, sam], [ada, sam, rowan], [ada, rowan]];
  await records.read(7, ...lists.map((recipients, id) => runOn(id, id, recipients)));
  const domains = (await people.byDomain()).map(({ domain, people }) => [domain, people]);
  assertEquals(domains, [[HOME, 1], [`mail.${HOME}`, 1], [PARTNERS, 1]]);
  const now = 3 * DAY;
  const all = { group: "all", home: [HOME], newDomains: [PARTNERS], now } as const;
  const counts = { all: 3, new: 1, outside: 1, left: 0, stopped: 1 };
  assertEquals(await people.countGroups(all), counts);
  assertEquals((await people.countGroups({ ...all, newDomains: [] })).new, 0);
  const ids = async (filter: Partial<Parameters<typeof people.list>[0]>) =>
    (await people.list({ ...all, ...filter }, { limit: 9 })).map(({ userId }) => userId);
  const found: readonly (readonly [Parameters<typeof ids>[0], number[]])[] = [
    [{}, [3, 1, 2]],
    [{ text: "ROWAN_" }, [3]],
    [{ text: "%" }, []],
    [{ domain: PARTNERS }, [3]],
    [{ group: "new" }, [3]],
    [{ group: "outside" }, [3]],
    [{ group: "outside", home: [] }, []],
    [{ group: "stopped" }, [2]],
    [{ isReceiving: true }, [3, 1]],
  ];
  for (const [filter, userIds] of found) assertEquals(await ids(filter), userIds);
  assertEquals(await people.count({ ...all, text: "sam" }), 1);
  assertEquals(await people.scheduleIds({ ...all, group: "outside" }, 9), [7]);
  assertEquals(await people.scheduleIds({ ...all, text: "nobody.example" }, 9), []);
  for (const [id, some] of [[7, 3], [8, 0]] as const) {
    const receiving = records.peopleOfSchedule(id);
    assertEquals((await receiving.list(all, { limit: 9 })).length, some);
    assertEquals((await receiving.countGroups(all)).all, some);
  }
  // Whoever received it from the start is not new.
  const fromStart = { ...all, home: [PARTNERS], newDomains: [HOME] };
  for (const each of [people, records.peopleOfSchedule(7)]) {
    assertEquals((await each.countGroups(fromStart)).new, 0);
  }
  const id = (await people.find("rowan_@MAIL.axb.example"))!;
  assertEquals([await people.find(3), await people.find(4)], [id, undefined]);
  const [receipt] = await people.receipts([id]);
  assertEquals([receipt.first, receipt.runs, receipt.fromStart], [DAY, 2, 0]);
  assertEquals(await people.runAt(7, DAY), 1);
  await database.write(sql`UPDATE known_schedules SET failures = 1, history_read = NULL`);
  const none = { unread: 0, failing: 0, uncounted: 0, unlisted: 0 };
  assertEquals(await people.countUnread(), { ...none, failing: 1 });
  const run = { ...runOn(1, 1, []), recipients: null };
  await records.read(8, run);
  assertEquals(await records.peopleOfSchedule(8).countUnread(), { ...none, unlisted: 1 });

  const by = { actor: ADA, now };
  await leavers.add([{ userId: null, address: `sam@mail.${HOME}`, leftAt: DAY }], by);
  assertEquals([await ids({ group: "left" }), await ids({})], [[2], [3, 2, 1]]);
  assertEquals((await watches.get(7))?.due, now);
  const owned = async (ownerId: number, at = now) => {
    await database.write(sql`UPDATE known_schedules SET owner_id = ${ownerId}`);
    return [...await leavers.ownedSchedules(at)];
  };
  // Whoever is listed by an address may own by a user id.
  assertEquals([await owned(2), await owned(2, 0), await owned(1)], [[7], [], []]);
  await leavers.add([{ userId: 1, address: null, leftAt: DAY }], by);
  assertEquals([await owned(1), await leavers.count()], [[7], 2]);
  assertEquals((await people.leaversOf(7)).map(({ userId }) => userId).sort(), [1, 2]);
  // By user id, or by address in any case.
  const listed = await leavers.among([ada, { emailAddress: `SAM@mail.${HOME}` }, rowan]);
  assertEquals(listed.map(({ userId }) => userId).sort(), [1, null]);
  // Of the two who left, one still receives something.
  assertEquals([await ids({ group: "left" }), await leavers.countReceiving(now)], [[1, 2], 1]);
  const receiving = async () => (await leavers.receiving({ limit: 9 }, now)).total;
  assertEquals(await receiving(), 1);
  const isExpected = { ...SAID, actor: ADA, scheduleId: null, expected: 1 };
  await records.recipientDecisions.add([{ ...isExpected, personId: (await people.find(1))! }]);
  assertEquals(await receiving(), 0);
  const pages = [0, 1, 2].map((offset) => people.list(all, { limit: 1, offset }));
  assertEquals((await Promise.all(pages)).flat().map(({ userId }) => userId), await ids({}));
  const staff = { userIds: new Set<number>(), addresses: new Set([sam.emailAddress!]) };
  assertEquals((await leavers.missingFrom(staff, [HOME], now)).length, 1);
  const { items, total } = await leavers.page({ limit: 1 });
  assertEquals([items.map(({ userId }) => userId), total], [[null], 2]);
  await leavers.clear(by);
  assertEquals(await ids({ group: "left" }), []);
});

test("recipientDecisions: one replaces another; good runs without the person close them", async (records) => {
  const { people, recipientDecisions, watches } = records;
  await watches.add([7], 1);
  const [ada, rowan] = [at("Ada", HOME, 1), at("Rowan", PARTNERS, 3)];
  await records.read(7, runOn(1, 1, [ada, rowan]), runOn(2, 2, [ada, rowan]));
  const now = 3 * DAY;
  const said = { ...SAID, actor: ADA, personId: (await people.find(3))! };
  const decide = (more: Partial<Parameters<typeof recipientDecisions.add>[0][number]> = {}) =>
    recipientDecisions.add([{ ...said, ...more }]);
  const expected = async (...scheduleIds: number[]) => {
    const found = scheduleIds.map((id) => recipientDecisions.expectedOn(id, now));
    return (await Promise.all(found)).map((each) => each.map(({ expected }) => expected));
  };
  await decide({ scheduleId: null, expected: 1 });
  await decide();
  assertEquals(await expected(7, 8), [[], [true]]);
  // What is said of all takes the place of everything before.
  await decide({ scheduleId: null });
  await decide({ expected: 1 });
  await recipientDecisions.judgeAgain({ ...said, expected: 1 });
  assertEquals((await watches.get(7))?.due, now);
  assertEquals(await expected(7, 8), [[true], []]);
  const filter = { group: "new", home: [HOME], newDomains: [PARTNERS], now } as const;
  assertEquals(await people.count(filter), 0);
  for (const [until, some] of [[now + 1, [false]], [now, []]] as const) {
    await decide({ until });
    assertEquals(await expected(7), [some]);
  }
  await decide();
  assertEquals(await expected(7), [[]]);
  const closed = async (run: ReportRun) => {
    await records.read(7, run);
    const { items, total } = await recipientDecisions.worklist({ limit: 1 }, now);
    return [total, items[0].closed, items[0].closedRun];
  };
  // A run at the very time of the decision says nothing of it.
  assertEquals(await closed(runOn(4, 3, [ada])), [1, null, null]);
  assertEquals(await closed(runOn(3, 4, [ada])), [1, 4 * DAY, 3]);
  // A later good run that lists the person opens the entry again, until one does not.
  const bad = (run: ReportRun) => ({ ...run, status: "failure" });
  assertEquals(await closed(bad(runOn(5, 6, [ada, rowan]))), [1, 4 * DAY, 3]);
  assertEquals(await closed(runOn(6, 7, [ada, rowan])), [1, null, null]);
  assertEquals(await closed(runOn(7, 8, [ada])), [1, 8 * DAY, 7]);
  await decide({ personId: await people.find(1) });
  const { items } = await recipientDecisions.worklist({ limit: 9 }, now);
  assertEquals(items.map(({ closed }) => closed), [null, 8 * DAY]);
  // So does a run that turns out not to be good.
  assertEquals(await closed(bad(runOn(7, 8, [ada]))), [2, null, null]);
  // Who is expected on no schedule has an entry for each that lists them then.
  await decide({ scheduleId: null });
  await records.read(7, runOn(9, 9, [ada, rowan]));
  assertEquals((await recipientDecisions.worklist({ limit: 9 }, now)).total, 2);
  await watches.remove([7], BY_ADA);
  await watches.forget([7]);
  assertEquals((await recipientDecisions.worklist({ limit: 9 }, now)).total, 0);
  await decide({ personId: null, domain: PARTNERS, scheduleId: null, expected: 1 });
  const ofDomain = { kind: "domain", domain: PARTNERS, expected: true, until: null } as const;
  assertEquals(await recipientDecisions.expectedOn(9, now), [ofDomain]);
});

test("runs: what is judged of a history, and known of those before it", async (records) => {
  const { runs, people } = records;
  const undated: ReportRun = { ...runOn(0, 0, [{ userId: 0 }]), startTime: null };
  const dated = [-5, 1, 2, 3, 4].map((day, at) =>
    runOn(at + 1, day, [{ userId: Math.min(at + 1, 3) }])
  );
  await records.read(7, undated, ...dated);
  const since = async (day: number, least: number, most: number) =>
    (await runs.textsSince(7, day * DAY, { least, most })).map(({ id }) => id);
  assertEquals(await since(3, 1, 9), [5, 4]);
  assertEquals([await since(3, 3, 9), await since(0, 1, 2)], [[5, 4, 3], [5, 4]]);
  assertEquals([await runs.firstStart(7, 0), await runs.firstStart(8, 0)], [DAY, null]);
  const around = async (runIds: number[], ...days: number[]) => {
    const times = days.map((day) => day * DAY);
    return (await runs.around(7, { runIds, times, max: 1 })).map(({ id }) => id);
  };
  assertEquals(await around([1], 3), [5, 4, 1]);
  assertEquals([await around([]), await around([], 1, 4)], [[], [5, 3, 2]]);
  const before = await people.receivedBefore(7, 3 * DAY);
  const received = before.map(({ recipient, first }) => [recipient.userId, first / DAY]);
  assertEquals(received.sort(), [[1, -5], [2, 1], [3, 2]]);
});

const sealing = createSealing(["k".repeat(32)]);
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
  const { people, recipientDecisions, runs, watches, database } = records;
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
    const personId = await people.find(person) ?? -1;
    const ids = await database.read<{ id: number }>(sql`SELECT id FROM people`);
    await recipientDecisions.add(ids.map(({ id }) => ({ ...SAID, actor: ADA, personId: id })));
    const [before, histories] = [await everybodyElse(database, personId), await read()];
    try {
      const their = sql`SELECT address FROM forms WHERE person_id = ${personId}`;
      const addresses = await database.read<{ address: string | null }>(their);
      const { isShared } = await forgetPerson(database, person, sealing);
      const after = await read();
      const theirs = after.flat().filter(({ userId }) => (userId ?? 0) < 0);
      assert(theirs.every(({ userId }) => userId === -personId));
      const tables = [sql`people`, sql`forms`, sql`file_sets JOIN file_set_json USING (key)`];
      const texts = await Promise.all([
        ...tables.map((table) => database.read(sql`SELECT * FROM ${table}`)),
        watches.list(),
      ]);
      const all = JSON.stringify([after, texts]).toLowerCase();
      const [{ owner }] = await watches.list();
      const erased = ADDRESSES.filter((each) => !owner.includes(each.toUpperCase()));
      assertEquals(erased.filter((address) => all.includes(address)), []);
      const left = addresses.filter(({ address }) => address && !erased.includes(address));
      assert(isShared || left.length === 0);
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

Deno.test("forgetPerson: two at once leave neither in a file set that names both (PostgreSQL)", () =>
  SYSTEMS.PostgreSQL(async (database) => {
    const both = ADDRESSES.slice(0, 2);
    await store(database, [both.map((emailAddress, at) => ({ userId: at + 1, emailAddress }))]);
    const owner = ADDRESSES.join(" and ");
    const named = Array.from({ length: 50 }, (_, at) => fileSet(at, { owner }));
    await database.transaction((transaction) => putFileSets(transaction, named));
    await Promise.all([1, 2].map((userId) => forgetPerson(database, userId, sealing)));
    const rows = await database.read<{ json: string }>(sql`SELECT json FROM file_set_json`);
    const left = rows.filter(({ json }) => both.some((address) => json.includes(address)));
    assertEquals([rows.length, left], [50, []]);
  }));

test("forgetPerson: whoever has read the person's texts before can't write them", async (records) => {
  const { leavers, watches, polls, incidents, commit, database } = records;
  await watches.add([7], NOW);
  await commit([insertIncident(incident("a"))]);
  const [watch] = await polls.claim("a", NOW, NOW + 9);
  const seen = (await incidents.get("a"))!;
  await leavers.add([{ userId: null, address: ADDRESSES[0], leftAt: 1 }], { actor: ADA, now: 1 });
  await forgetPerson(database, ADDRESSES[0], sealing);
  assertEquals(await leavers.count(), 0);
  const steps = [endOfPoll(watch, { polled: NOW }, NOW + 9), updateIncident(seen)];
  for (const step of steps) assertEquals(await commit([step]), false);
});
