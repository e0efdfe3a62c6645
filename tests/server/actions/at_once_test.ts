/** What several people do at once is as if in turn, and what is interrupted is undone, on every database. */
import { assertEquals } from "@std/assert";
import { decideRecipient, withdrawDecision } from "../../../server/actions/decide_recipient.ts";
import { forgetPerson } from "../../../server/actions/forget_person.ts";
import { addScheduleFile, watchSchedules } from "../../../server/actions/known_schedules.ts";
import { saveLeavers } from "../../../server/actions/save_leavers.ts";
import { removeOwner, saveOwner } from "../../../server/actions/save_owner.ts";
import { saveStatuses } from "../../../server/actions/save_statuses.ts";
import { createSealing } from "../../../server/auth/sealing.ts";
import { beginScan } from "../../../server/schedules/scan.ts";
import type { Database, Transaction } from "../../../server/store/database/database.ts";
import { name, sql } from "../../../server/store/database/sql.ts";
import { putFileSets } from "../../../server/store/file_sets/write.ts";
import {
  type ObserverRecords,
  observerRecordsOn,
} from "../../../server/store/records/observer_records.ts";
import { ADA } from "../../actors.ts";
import { type TestRecords, testRecords as test } from "../store/on_both.ts";
import { fileSet, runOn } from "../store/rows.ts";

const NOW = 9;
const BY = { actor: ADA, now: NOW };
const SETTINGS = { observer: { mailServer: null, webhookHosts: [] } };
const PERSON = { userId: 1, displayName: "Ada", emailAddress: "ada@example.com" };
const TEAMS = "https://prod.westeurope.logic.azure.com/secret";
const sealing = createSealing(["k".repeat(32)]);

const DECISION = { expected: false, on: "all", note: "", until: null } as const;

const own = (records: ObserverRecords, owner: string, more: object) =>
  saveOwner({ records, sealing, settings: SETTINGS }, { name: owner, channels: {}, ...more }, BY);

/** Has a schedule watched that one person received; gives the person's id. */
async function receive({ watches, people, read }: TestRecords): Promise<number> {
  await watches.add([7], 1);
  await read(7, runOn(1, 1, [PERSON]));
  return (await people.find(1))!;
}

/** The statuses with which works that began at once were refused. */
async function refused(...works: Promise<unknown>[]): Promise<readonly number[]> {
  const ended = await Promise.allSettled(works);
  return ended.flatMap((each) => each.status === "rejected" ? each.reason.problem.status : []);
}

test("decideRecipient: of decisions on one subject, one is current, and withdrawn once", async (records) => {
  const personId = await receive(records);
  const decide = () => decideRecipient({ records }, { ...DECISION, personId, on: 7 }, BY);
  assertEquals(await refused(decide(), decide(), decide()), []);
  const [{ id: decisionId }, ...others] = await records.recipientDecisions.about([personId], [], 9);
  assertEquals(others, []);
  const withdraw = () => withdrawDecision({ records }, { personId, decisionId }, BY);
  assertEquals(await refused(withdraw(), withdraw()), [404]);
});

test("watchSchedules: what several watch is added once, with one event", async (records) => {
  const services = { records, origin: "" };
  const watch = () => watchSchedules(services, { scheduleIds: [7] }, BY);
  const counts = await Promise.all([watch(), watch(), watch()]);
  assertEquals(counts.map(({ added }) => added).sort(), [0, 0, 1]);
  assertEquals((await records.events.latest(7, 9)).length, 1);
});

test("saveOwner: what several save, rename or remove is there, or is gone, once", async (records) => {
  const { owners, events, watches } = records;
  await watches.add([7], 1);
  const save = () => own(records, "Finance", { channels: { teams: TEAMS }, scheduleIds: [7] });
  assertEquals(await refused(save(), save()), []);
  const rename = () => own(records, "Finance", { to: "Sales" });
  assertEquals(await refused(rename(), rename()), [400]);
  assertEquals((await owners.list()).map((each) => [each.name, each.channels.length]), [[
    "Sales",
    1,
  ]]);
  const before = (await events.latest(7, 9)).length;
  const remove = () => removeOwner({ records }, "Sales", BY);
  assertEquals(await refused(remove(), remove()), []);
  assertEquals((await events.latest(7, 9)).length - before, 1);
});

test("saveStatuses, beginScan: of statuses all that is said is stored, of ranges one scanned", async (records) => {
  const say = (status: string) =>
    saveStatuses({ records }, { statuses: [{ status, meaning: "good" }], about: [status] }, BY);
  await Promise.all(["new", "odd"].map(say));
  assertEquals(Object.keys((await records.statuses.get()).said).sort(), ["new", "odd"]);
  const begin = (from: number) => beginScan(records, { from, to: 9, rate: 1, now: NOW });
  const started = await Promise.all([1, 2, 3].map(begin));
  assertEquals(started.sort(), [false, false, true]);
});

test("saveLeavers: nobody forgotten meanwhile comes back by a list of staff", async (records) => {
  await receive(records);
  let isForgotten = false;
  const late = observerRecordsOn({
    ...records.database,
    async transaction(work) {
      if (!isForgotten) await forgetPerson({ records, sealing }, PERSON.emailAddress);
      isForgotten = true;
      return await records.database.transaction(work);
    },
  });
  const settings = { homeDomains: ["example.com"] };
  await saveLeavers({ records: late, settings }, { people: [], isStaff: true }, BY);
  assertEquals([isForgotten, await records.leavers.count()], [true, 0]);
});

/** The database for one who is gone before some statement. */
function goneAt(database: Database, statement: number): Database {
  let statements = 0;
  function run<Result>(work: () => Promise<Result>): Promise<Result> {
    return ++statements < statement ? work() : Promise.reject(new Error("Gone"));
  }
  const within = ({ read, write, recordsKeys }: Transaction): Transaction => ({
    read: (...all) => run(() => read(...all)),
    write: (...all) => run(() => write(...all)),
    recordsKeys,
  });
  return {
    ...database,
    read: (...all) => run(() => database.read(...all)),
    write: (...all) => run(() => database.write(...all)),
    transaction: (work) => run(() => database.transaction((inner) => work(within(inner)))),
  };
}

test("actions: what is interrupted is done whole or not at all", async (records) => {
  const { database } = records;
  const personId = await receive(records);
  await records.watches.add([8], 1);
  await database.transaction((inner) =>
    putFileSets(inner, [fileSet(1, { owner: "ada@example.com" })])
  );
  const channels = { teams: TEAMS };
  const file = () => new Blob(["scheduleId,name,watched\n7,Seven,false\n8,Eight,true\n"]).stream();
  const actions: ((records: ObserverRecords) => Promise<unknown>)[] = [
    (records) => own(records, "Finance", { channels, scheduleIds: [7, 8] }),
    (records) => own(records, "Finance", { to: "Sales", scheduleIds: [7] }),
    (records) => decideRecipient({ records }, { ...DECISION, personId }, BY),
    (records) => addScheduleFile({ records, origin: "" }, file(), BY),
    (records) => forgetPerson({ records, sealing }, PERSON.emailAddress),
  ];
  const tables = ["known_schedules", "events", "owners", "channels", "recipient_decisions"];
  const rowsOf = (table: string) => database.read(sql`SELECT * FROM ${name(table)}`);
  const state = async () =>
    JSON.stringify(await Promise.all([...tables, "forms", "file_set_json"].map(rowsOf)));
  for (const action of actions) {
    const states = new Set([await state()]);
    // Before the 1st, 2nd, 3rd, 4th, 5th, 7th, 9th, 12th … of up to some hundred statements.
    let isDone = false;
    for (let statement = 1; !isDone; statement += Math.ceil(statement / 4)) {
      const done = action(observerRecordsOn(goneAt(database, statement)));
      await done.then(() => isDone = true, (error) => assertEquals(error.message, "Gone"));
      states.add(await state());
    }
    assertEquals(states.size, 2);
  }
});
