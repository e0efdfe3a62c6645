/** What rooms run on SQLite is also prepared on PostgreSQL, and no room is left out. */
import { assertEquals } from "@std/assert";
// @ts-types="@types/pg"
import pg from "pg";
import { PARTNER } from "../../../server/store/sample/people.ts";
import type { Transaction } from "../../../server/store/database/database.ts";
import { compile, type Sql } from "../../../server/store/database/sql.ts";
import { forgetPerson } from "../../../server/store/people/forget.ts";
import {
  type ObserverRecords,
  observerRecordsOn,
} from "../../../server/store/records/observer_records.ts";
import { fillWithSample } from "../../../server/store/sample/fill.ts";
import { expectRecipients } from "../../../server/store/sample/sample_records.ts";
import { storeOn } from "../../../server/store/store.ts";
import { runWell, START, withWorld } from "../observer/world.ts";
import { server } from "./postgres/shared.ts";
import { type WithDatabase, withSqlite } from "./sqlite/with_sqlite.ts";
import { testRecordsContract } from "./records/records_contract.ts";
import { testStoreContract } from "./store_contract.ts";

const STORE = new URL("../../../server/store/", import.meta.url).href;

/** What one database alone has, and what the contract runs on purpose. */
const ALONE = /^TRUNCATE|sqlite_(temp_)?schema|file_set_trigrams|no_such_table/;

/** PostgreSQL's text of each statement that was run, and the files that ran any. */
const texts = new Set<string>();
const files = new Set<string>();

function record(statement: Sql): void {
  texts.add(compile(statement, "postgresql").text);
  const callers = new Error().stack!.matchAll(/file:[^\s:]+\.ts/g);
  for (const [file] of callers) if (file.startsWith(STORE)) files.add(file.slice(STORE.length));
}

function recorded<Used extends Pick<Transaction, "read" | "write">>(used: Used): Used {
  return {
    ...used,
    read(statement, ...options) {
      record(statement);
      return used.read(statement, ...options);
    },
    write(statement) {
      record(statement);
      return used.write(statement);
    },
  };
}

const withRecorded: WithDatabase = (work) =>
  withSqlite((database) =>
    work({
      ...recorded(database),
      transaction: (part) => database.transaction((transaction) => part(recorded(transaction))),
    })
  );

testRecordsContract("Recorded", withRecorded);
testStoreContract("Recorded", (work) => withRecorded((database) => work(storeOn(database))), 20);

Deno.test("statements: what an observer and people's pages run", () =>
  withRecorded(async (database) => {
    await withWorld([1, 2], async (world) => {
      runWell(world, 1, START - 20 * 3_600_000, 20);
      await world.until(START + 5 * 3_600_000);
    }, { database });
    const records = observerRecordsOn(database);
    await fillWithSample(storeOn(database), { fileSets: 50, runs: 20 });
    await expectRecipients(records, Date.now());
    await recordSearches(records);
    await records.retention.removeRunsBefore(START);
    await records.retention.retainedSince();
    await forgetPerson(database, PARTNER.userId!);
  }));

async function recordSearches(
  { idSearches, leavers, overview, sentForms, watches }: ObserverRecords,
): Promise<void> {
  await idSearches.begin({ from: 1, to: 9, rate: 1, started: START });
  const [search] = await idSearches.searches();
  await idSearches.record(search, 1, "exists", START);
  await idSearches.change(search, { failed: 1 });
  await idSearches.rewind(search, 1);
  await idSearches.changes(search);
  const added = [{ scheduleId: 7, settings: {}, watched: 0 as const }];
  const changed = [{ ...added[0], settings: { note: "Finance", plan: null } }];
  await watches.saveAll({ added, changed, source: "file", events: [] }, START);
  await watches.known([7]);
  await overview.byId("known", { limit: 1 });
  await leavers.page({ limit: 1 });
  await sentForms.begin("a", START);
  await sentForms.finish("a", { location: "/", cookies: [] });
  await sentForms.answer("a");
  await sentForms.giveUp("a");
}

Deno.test("statements: PostgreSQL prepares each one that rooms run on SQLite", async () => {
  const client = new pg.Client({ connectionString: await server.createSchemaDatabase() });
  await client.connect();
  const refused: string[] = [];
  for (const text of [...texts].filter((text) => !ALONE.test(text))) {
    await client.query(`PREPARE tried AS ${text}`).then(
      () => client.query("DEALLOCATE tried"),
      (error) => refused.push(`${error.message}: ${text}`),
    );
  }
  await client.end();
  assertEquals(refused, []);
});

Deno.test("statements: every file with statements has run some", async () => {
  const unused: string[] = [];
  for (const room of ["file_sets", "people", "records", "runs"]) {
    for await (const { name } of Deno.readDir(new URL(room, STORE))) {
      const text = await Deno.readTextFile(new URL(`${room}/${name}`, STORE));
      const runsSome = /\.(read|write)(<.*>)?\(/.test(text) && text.includes("sql`");
      if (runsSome && !files.has(`${room}/${name}`)) unused.push(`${room}/${name}`);
    }
  }
  assertEquals(unused, []);
});
