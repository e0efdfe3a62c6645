import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createSealing } from "../../../../server/auth/sealing.ts";
import { storedSecret } from "../../../../server/config/data_folder.ts";
import { saveOwner } from "../../../../server/actions/save_owner.ts";
import { ADA as ADA_ACTOR } from "../../../actors.ts";
import { sql } from "../../../../server/store/database/sql.ts";
import { openDatabase } from "../../../../server/store/open.ts";
import { insertIncident } from "../../../../server/store/records/incidents.ts";
import { observerRecordsOn } from "../../../../server/store/records/observer_records.ts";
import { storeOn } from "../../../../server/store/store.ts";
import { forget } from "../../../../server/store/tasks/forget_task.ts";
import { server } from "../postgres/shared.ts";
import { incident } from "../records/records_contract.ts";
import { fileSet, run as row } from "../rows.ts";
import { withTasks } from "./task_context.ts";
import { sampleReason } from "../../../sample_reasons.ts";

const NOW = Date.UTC(2026, 10, 23);
const ADDRESS = "Rowan.Pike@partner.example.net";
const ROWAN = { userId: 77, displayName: "Rowan Pike", emailAddress: ADDRESS };
const ADA = { userId: 1, displayName: "Ada Byron", emailAddress: "ada@example.com" };

/** The texts that are anywhere in the files of the data folder, whatever their case. */
async function foundIn(dataDir: string, texts: readonly string[]): Promise<readonly string[]> {
  let all = "";
  for await (const { name } of Deno.readDir(dataDir)) {
    if (!name.startsWith("docket.sqlite")) continue;
    all += new TextDecoder("latin1").decode(await Deno.readFile(`${dataDir}/${name}`));
  }
  return texts.filter((text) => all.toLowerCase().includes(text.toLowerCase()));
}

/** The key that the task made in a data folder. */
const keysIn = (dataDir: string) => () => [Deno.readTextFileSync(`${dataDir}/records-key`)];

Deno.test("forget: erases address and name everywhere, also from what is read later", () =>
  withTasks(async ({ run, dataDir }) => {
    const open = () =>
      openDatabase({ dataDir, databaseUrl: null }, { recordsKeys: keysIn(dataDir) });
    const other = { ...ROWAN, emailAddress: ADDRESS.toLowerCase() };
    const runs = [[ADA, ROWAN], [other], [{ ...ROWAN, displayName: "R. Pike" }, ADA]].map(
      (recipients, at) => ({ scheduleId: 101, run: { ...row(at + 1), recipients } }),
    );
    const database = await open();
    const store = storeOn(database);
    const records = observerRecordsOn(database);
    await store.put({
      runs,
      fileSets: [fileSet(1, { id: `Of ${ADDRESS}`, owner: `Rowan Pike <${ADDRESS}>` })],
    });
    const read = runs.map(({ run }) => ({ id: run.id, start: Date.parse(run.startTime), run }));
    await records.watches.add([101], NOW, { note: `Ask ${ADDRESS}` });
    await records.commit([
      ...await records.runs.changeSteps(101, { put: read }, NOW),
      insertIncident(incident("i1", {
        scheduleId: 101,
        reason: sampleReason("outside-recipient", { subject: "Rowan Pike" }),
      })),
    ]);
    await database.close();
    const texts = [ADDRESS, "Rowan Pike", "R. Pike"];
    assertEquals(await foundIn(dataDir, texts), texts);

    const { code, printed } = await run(forget, "ROWAN.PIKE@partner.example.net");
    assertEquals(code, 0);
    assertStringIncludes(printed, "Erased from 3 runs");
    assertEquals(await foundIn(dataDir, texts), []);

    const again = await open();
    const reopened = storeOn(again);
    const forgotten = (await reopened.reportSchedules.history(101)).map(({ recipients }) =>
      recipients!.map(({ displayName }) => displayName)
    );
    const name = "forgotten person";
    assertEquals(forgotten, [["Ada Byron", name], [name], [name, "Ada Byron"]]);
    // The same runs, read again, are the same; a new one lists a forgotten person as well. Nobody
    // else without a user id is forgotten.
    const guest = { displayName: "Guest", emailAddress: "guest@example.com" } as typeof ROWAN;
    const recipients = [{ ...ROWAN, userId: 78 }, guest];
    const late = { scheduleId: 101, run: { ...row(4), recipients } };
    assertEquals(await reopened.put({ runs: [...runs, late] }), { added: 1, changed: 0 });
    const newest = (await reopened.reportSchedules.history(101)).at(-1)!.recipients!;
    assertEquals(newest.map(({ displayName }) => displayName), [name, "Guest"]);
    assert((await again.read(sql`SELECT id FROM people`)).length <= 5);
    await again.close();
    assertEquals(await foundIn(dataDir, texts), []);
  }));

Deno.test("forget: finds names in any script, and leaves longer ones", () =>
  withTasks(async ({ run, dataDir }) => {
    const person = { userId: 5, displayName: 'Ölga "Al" Ärger', emailAddress: "al@example.com" };
    const other = { userId: 6, displayName: "Pal Ärgerlich", emailAddress: "pal@example.com" };
    const open = () =>
      openDatabase({ dataDir, databaseUrl: null }, { recordsKeys: keysIn(dataDir) });
    const database = await open();
    const name = 'Ask ÖLGA "AL" ÄRGER or pal@example.com, not xal@example.com';
    await storeOn(database).put({
      runs: [{ scheduleId: 1, run: { ...row(1), recipients: [person, other] } }],
      fileSets: [fileSet(1, { owner: `To:\n${person.displayName}` }), fileSet(2, { owner: name })],
    });
    await observerRecordsOn(database).watches.add([1], NOW, { name });
    await database.close();
    assertEquals((await run(forget, person.emailAddress)).code, 0);
    assertEquals(await foundIn(dataDir, ['lga "Al"', '"AL"', 'lga \\"Al']), []);
    const again = await open();
    const [watch] = await observerRecordsOn(again).watches.list();
    const left = "or pal@example.com, not xal@example.com";
    assertStringIncludes(watch.name, left);
    const [{ recipients }] = await storeOn(again).reportSchedules.history(1);
    assertEquals(recipients!.at(-1), other);
    const rows = await again.read(sql`SELECT address FROM forms ORDER BY user_id`);
    assertEquals(rows.at(-1), { address: other.emailAddress });
    await again.close();
  }));

Deno.test("forget: erases one of several people with a shared user id", () =>
  withTasks(async ({ run, dataDir }) => {
    const open = () =>
      openDatabase({ dataDir, databaseUrl: null }, { recordsKeys: keysIn(dataDir) });
    const client = (name: string, userId = 0) => ({
      userId,
      displayName: "Client Services",
      emailAddress: `${name}@partner.example`,
    });
    const recipients = [client("a"), client("b"), client("c", 9), client("d", 9), ADA];
    const history = [1, 2].map((id) => ({
      scheduleId: 1,
      run: { ...row(id), recipients: id === 1 ? recipients : [client("c", 9), client("a", -1)] },
    }));
    const database = await open();
    await storeOn(database).put({ runs: history });
    await database.close();
    const byId = await run(forget, "9");
    assertEquals(byId.code, 2);
    assertStringIncludes(byId.reported, "User id 9 identifies nobody: use the address");
    const { reported } = await run(forget, "A@partner.example");
    assertStringIncludes(reported, "Somebody else is listed with an address or a name");
    await run(forget, "c@partner.example");
    const again = await open();
    const runs = await storeOn(again).reportSchedules.history(1);
    const left = runs.flatMap(({ recipients }) => recipients!.map((each) => each.emailAddress));
    assertEquals(
      left.filter(Boolean),
      ["b", "d"].map((name) => `${name}@partner.example`).concat(
        ADA.emailAddress,
      ),
    );
    // Read again, they are as they were.
    await storeOn(again).put({ runs: history });
    assertEquals(await storeOn(again).reportSchedules.history(1), runs);
    await again.close();
  }));

Deno.test("forget: of two people with one address, the other one keeps it", () =>
  withTasks(async ({ run, dataDir }) => {
    const open = () =>
      openDatabase({ dataDir, databaseUrl: null }, { recordsKeys: keysIn(dataDir) });
    const twin = { ...ADA, userId: 2, displayName: "Ada Byron Junior" };
    const database = await open();
    await storeOn(database).put({
      runs: [{ scheduleId: 1, run: { ...row(1), recipients: [ADA, twin] } }],
    });
    await database.close();
    assertEquals((await run(forget, "1")).code, 0);
    const again = await open();
    const [{ recipients }] = await storeOn(again).reportSchedules.history(1);
    assertEquals(recipients!.filter(({ userId }) => userId! > 0), [twin]);
    await again.close();
  }));

Deno.test("forget: refuses what names nobody, or several people", () =>
  withTasks(async ({ run, dataDir }) => {
    for (const args of [[], ["Rowan"], ["a@b", "c@d"]]) {
      assertEquals((await run(forget, ...args)).code, 2);
    }
    const database = await openDatabase({ dataDir, databaseUrl: null }, {
      recordsKeys: keysIn(dataDir),
    });
    const recipients = [ROWAN, { ...ROWAN, userId: 78 }];
    await storeOn(database).put({ runs: [{ scheduleId: 1, run: { ...row(1), recipients } }] });
    await database.close();
    const { code, reported } = await run(forget, ADDRESS);
    assertEquals(code, 2);
    assertStringIncludes(reported, "use the user id");
    assertEquals((await run(forget, "78")).code, 0);
  }));

Deno.test("forget: names owners whose mail channel uses an address, and leaves the channel", () =>
  withTasks(async ({ run, dataDir }) => {
    const database = await openDatabase({ dataDir, databaseUrl: null }, {
      recordsKeys: keysIn(dataDir),
    });
    const runs = [{ scheduleId: 1, run: { ...row(1), recipients: [ROWAN] } }];
    await storeOn(database).put({ runs });
    const services = {
      records: observerRecordsOn(database),
      sealing: createSealing([storedSecret(dataDir, "records-key", 32)]),
      settings: { observer: { mailServer: {} as never, webhookHosts: [] } },
    };
    for (const [name, mail] of [["Finance", `b@example.com,${ADDRESS}`], ["Ada", "a@b.example"]]) {
      await saveOwner(services, { name, channels: { mail } }, { actor: ADA_ACTOR, now: NOW });
    }
    const sealed = await services.records.owners.sealedChannels();
    await database.close();
    const words = 'The mail channel of the owner "Finance" still uses the address';
    for (const person of ["77", ADDRESS]) {
      const { code, reported } = await run(forget, person);
      assertEquals([code, reported.includes("Ada")], [0, false]);
      assertStringIncludes(reported, words);
    }
    const again = await openDatabase({ dataDir, databaseUrl: null }, {
      recordsKeys: keysIn(dataDir),
    });
    assertEquals(await observerRecordsOn(again).owners.sealedChannels(), sealed);
    await again.close();
  }));

Deno.test("forget: erases from PostgreSQL as well", async () => {
  const DATABASE_URL = await server.createDatabase();
  await withTasks(async ({ run, dataDir }) => {
    const open = () =>
      openDatabase({ dataDir, databaseUrl: DATABASE_URL }, { recordsKeys: keysIn(dataDir) });
    const database = await open();
    const entry = { scheduleId: 1, run: { ...row(1), recipients: [ADA, ROWAN] } };
    const fileSets = [fileSet(1, { description: `Ask ${ADDRESS}` })];
    await storeOn(database).put({ runs: [entry], fileSets });
    await observerRecordsOn(database).watches.add([1], NOW, { note: `Ask ${ADDRESS}` });
    await database.close();
    assertEquals((await run(forget, "77")).code, 0);
    const again = await open();
    const rows = await again.read(
      sql`SELECT json FROM forms UNION ALL SELECT note FROM known_schedules
        UNION ALL SELECT json FROM file_set_json UNION ALL SELECT description_folded FROM file_sets`,
    );
    const texts = JSON.stringify(rows).toLowerCase();
    await again.close();
    assert(!texts.includes("rowan"), texts);
    assertStringIncludes(texts, "forgotten person");
  }, { DATABASE_URL });
});
