import { existsSync } from "node:fs";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { RECORDS_FILE } from "../../../../server/store/open.ts";
import { forget } from "../../../../server/store/tasks/forget_task.ts";
import { importFile } from "../../../../server/store/tasks/import_task.ts";
import { migrate } from "../../../../server/store/tasks/migrate_task.ts";
import { seed } from "../../../../server/store/tasks/seed_task.ts";
import { token } from "../../../../server/store/tasks/token_task.ts";
import { TOKEN, withServer } from "../../../app.ts";
import { server } from "../postgres/shared.ts";
import { assertRefuses, inDatabase, withTasks } from "./task_context.ts";

Deno.test("openForTask: names the file, and goes on where nobody serves a database", () =>
  withTasks(async ({ dataDir, run }) => {
    const { code, reported } = await run(token, "list");
    assertEquals(code, 0);
    const place = `Database: ${dataDir}/docket.sqlite\n`;
    assertStringIncludes(reported, `${place}DOCKET_URL does not answer which database it serves`);
  }, { DOCKET_URL: "http://127.0.0.1:1" }));

Deno.test("openForTask: changes nothing where the Docket at DOCKET_URL serves another database", () =>
  withServer({}, async ({ origin }) => {
    await withTasks(async (tasks) => {
      const message = "No data was changed: the Docket at DOCKET_URL serves";
      await assertRefuses(tasks, [
        [seed, [], message],
        [importFile, [], message],
        [token, ["add", "ci"], message],
      ]);
      assert(!existsSync(`${tasks.dataDir}/docket.sqlite`));
    }, { DOCKET_URL: origin, DOCKET_TOKEN: TOKEN });
  }));

Deno.test("runTask: names what is wrong with arguments, and then changes nothing", () =>
  withTasks(async (tasks) => {
    const tokenUsage = "Use add NAME";
    const forgetUsage = "Use an address or a user id";
    await assertRefuses(tasks, [
      [seed, ["--file-sets=-1"], '--file-sets must be a whole number from 0 to 10000000, not "-1"'],
      [seed, ["--runs"], "Option '--runs <value>' argument missing; see --help"],
      [seed, ["--filesets", "1"], "Unknown option '--filesets'; see --help"],
      [seed, ["20"], 'Too many arguments: "20"'],
      [importFile, ["/nowhere/at/all.ndjson"], `"/nowhere/at/all.ndjson" can't be read: No such`],
      [importFile, ["/"], "it is a folder"],
      [importFile, ["--schedule", "x", "file"], "--schedule must be a whole number"],
      [importFile, ["--dates", "us", "/dev/null"], "--dates must be day-first or month-first"],
      [token, ["remove", "one"], tokenUsage],
      [token, ["list", "--operator"], tokenUsage],
      [token, ["add", "two", "--reader", "--operator"], tokenUsage],
      [token, ["add", " "], "The name of a token is missing"],
      [token, ["add", "x".repeat(101)], "at most 100"],
      [forget, [], forgetUsage],
      [forget, ["Rowan"], forgetUsage],
      [forget, ["a@b", "c@d"], 'Too many arguments: "c@d"'],
    ]);
    assertEquals((await tasks.run(seed, "--help")).code, 0);
    assertEquals([...Deno.readDirSync(tasks.dataDir)], []);
    await tasks.run(token, "add", "one");
    await assertRefuses(tasks, [
      [token, ["add", "one"], 'There is already a token named "one"'],
      [token, ["revoke", "nobody"], "no token named"],
    ]);
  }));

Deno.test("embeddedServiceSettings: with an upstream, tasks change no data", () =>
  withTasks(async (tasks) => {
    const message = "Nothing was changed: this task changes the ";
    await assertRefuses(tasks, [
      [seed, [], message],
      [importFile, ["no-such-file"], message],
    ]);
    assertEquals([...Deno.readDirSync(tasks.dataDir)], []);
  }, { SERVICE_BASE_URL: "https://service.example" }));

Deno.test("migrate: makes PostgreSQL's schema, also beside an upstream, and nothing the second time", async () => {
  const DATABASE_URL = await server.createDatabase();
  for (const SERVICE_BASE_URL of ["https://service.example.com", ""]) {
    await withTasks(async ({ run }) => {
      const { code, printed } = await run(migrate);
      assertEquals([code, printed], [0, "The schema in PostgreSQL is up to date"]);
    }, { DATABASE_URL, SERVICE_BASE_URL });
    const tables = ["file_sets", "runs", "watches", "incidents"];
    await server.asOwner(DATABASE_URL, ...tables.map((name) => `SELECT FROM ${name}`));
  }
});

Deno.test("migrate: touches nothing without PostgreSQL, and says which one can't be used", async () => {
  const cases = [
    ["", 0, /^Nothing to do: the data is not in PostgreSQL$/],
    ["postgres://docket:docket@127.0.0.1:1/docket", 1, /The database cannot be reached/],
    ["mysql://db", 2, /^DATABASE_URL must be a URL of the form/],
  ] as const;
  for (const [DATABASE_URL, expected, words] of cases) {
    await withTasks(async ({ dataDir, run }) => {
      const { code, printed, reported } = await run(migrate);
      assertEquals(code, expected, reported);
      assertMatch(printed + reported, words);
      assertEquals([...Deno.readDirSync(dataDir)], []);
    }, { DATABASE_URL });
  }
});

Deno.test("token: lists and revokes", () =>
  withTasks(async ({ run }) => {
    await run(token, "add", "one");
    await run(token, "add", "second\none", "--operator");
    assertEquals((await run(token, "revoke", "one")).printed, 'Revoked "one"');
    assertEquals((await run(token, "list")).printed.split("\n"), [
      "NAME        ROLE      CREATED            LAST USED  REVOKED",
      "one         reader    2026-03-10T15:00Z  never      2026-03-10T15:00Z",
      "second\ufffdone  operator  2026-03-10T15:00Z  never",
    ]);
  }));

Deno.test("token: with an upstream, tokens are among the records, and need OBSERVER_TOKEN", () =>
  withTasks(async ({ dataDir, run }) => {
    const { code, printed, reported } = await run(token, "add", "Ada", "--operator");
    assertEquals(code, 0);
    assertStringIncludes(reported, "until OBSERVER_TOKEN is set");
    const found = await inDatabase(
      { dataDir, file: RECORDS_FILE },
      ({ store }) => store.tokens.find(printed, new Date()),
    );
    assertEquals(found, { name: "Ada", role: "operator" });
  }, { SERVICE_BASE_URL: "https://service.example.com" }));
