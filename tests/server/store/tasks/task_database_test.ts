import { existsSync } from "node:fs";
import { assert, assertEquals } from "@std/assert";
import { forget } from "../../../../server/store/tasks/forget_task.ts";
import { importFile } from "../../../../server/store/tasks/import_task.ts";
import { seed } from "../../../../server/store/tasks/seed_task.ts";
import { token } from "../../../../server/store/tasks/token_task.ts";
import { TOKEN, withServer } from "../../../app.ts";
import { assertRefuses, withTasks } from "./task_context.ts";

Deno.test("openForTask: names the file, and goes on where nobody serves a database", () =>
  withTasks(async ({ dataDir, run }) => {
    const { code, reported } = await run(token, "list");
    assertEquals([code, reported.split("\n")], [0, [
      `Database: ${dataDir}/docket.sqlite`,
      "DOCKET_URL does not answer which database it serves: it was not compared",
    ]]);
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
      [seed, ["--runs", "-1"], "To specify an option argument starting with a dash use '--runs=-"],
      [seed, ["--runs"], "Option '--runs <value>' argument missing; see --help"],
      [seed, ["--filesets", "1"], "Unknown option '--filesets'; see --help"],
      [seed, ["20"], 'Too many arguments: "20"'],
      [importFile, ["/nowhere/at/all.ndjson"], `"/nowhere/at/all.ndjson" can't be read: No such`],
      [importFile, ["/"], "it is a folder"],
      [importFile, ["--schedule", "x", "file"], "--schedule must be a whole number"],
      [importFile, ["--dates", "us", "/dev/null"], "--dates must be day-first or month-first"],
      [token, ["remove", "one"], tokenUsage],
      [token, ["add"], tokenUsage],
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

Deno.test("embeddedServiceSettings: with an upstream, tasks change neither data nor sessions", () =>
  withTasks(async (tasks) => {
    const message = "Nothing was changed: this task changes the ";
    await assertRefuses(tasks, [
      [seed, [], message],
      [importFile, ["no-such-file"], message],
      [token, ["end-sessions"], "replace the session key"],
    ]);
    assertEquals([...Deno.readDirSync(tasks.dataDir)], []);
  }, { SERVICE_BASE_URL: "https://service.example" }));
