import { assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { pooled } from "./pooled.ts";
import { type Planted, plantedRuns, plantSecrets } from "./planted.ts";
import { runTask, runTaskHere } from "./task.ts";
import { withFolder } from "../with_folder.ts";

/** Files that can't be taken, with addresses in all places. */
function faultyFile(planted: Planted): string {
  const [first, second] = planted.addresses;
  const [run] = plantedRuns(planted);
  const entries = [
    { ...run, [first]: 1 },
    { ...run, recipients: first },
    { ...run, recipients: [{ userId: first, displayName: 1, emailAddress: [second] }] },
    { ...run, status: `${first}\0` },
    { ...run, scheduleId: first },
    { id: first },
    { id: 5, [second]: first },
    first,
    [[first]],
  ];
  return [...entries.map((entry) => JSON.stringify(entry)), `{"${first}`, second].join("\n");
}

Deno.test("[e2e] secrets: tasks leak none with faulty files, services and databases", async () => {
  const planted = plantSecrets();
  const { watch, token, sessionKey, databasePassword } = planted;
  await withFolder(async (folder) => {
    let folders = 0;
    const newFolder = () => ({ DATA_DIR: `${folder}/${++folders}`, SERVICE_TOKEN: token });
    const home = newFolder();
    const imported = await runTask(planted, "import", ["--schedule", "901"], home, {
      input: faultyFile(planted),
    });
    assertEquals(imported.code, 1);
    await Deno.writeTextFile(`${folder}/faulty.json`, `[${faultyFile(planted)}`);
    await runTask(planted, "import", [`${folder}/faulty.json`], home);

    const databases = [
      `postgres://planted:${databasePassword}@127.0.0.1:1/docket`,
      `postgres://planted:${databasePassword}@nowhere.invalid/docket`,
      `postgres://planted:${databasePassword}@127.0.0.1:99999/docket`,
      `postgres://planted:${databasePassword}%zz@127.0.0.1:1/docket?sslmode=verify-full`,
      `postgres://planted:${databasePassword} x@127.0.0.1:1/docket`,
      `mysql://planted:${databasePassword}@127.0.0.1/docket`,
    ];
    await pooled(databases, 3, async (DATABASE_URL) => {
      for (const [task, ...args] of [["seed"], ["token", "list"]] as const) {
        const { code } = await runTaskHere(planted, task, args, { ...home, DATABASE_URL });
        assertEquals(code === 0, false, DATABASE_URL);
      }
    });

    // A database that is none, and one whose tables are gone.
    const broken = newFolder();
    await runTask(planted, "seed", ["--file-sets", "1", "--runs", "1"], broken);
    const database = new DatabaseSync(`${broken.DATA_DIR}/docket.sqlite`);
    database.exec("ALTER TABLE tokens RENAME TO a; ALTER TABLE runs RENAME TO b");
    database.close();
    const none = newFolder();
    await Deno.mkdir(none.DATA_DIR);
    await Deno.writeTextFile(`${none.DATA_DIR}/docket.sqlite`, token.repeat(500));
    const settings = [
      broken,
      none,
      { ...home, SESSION_KEY: sessionKey.slice(0, 20) },
      { ...home, SERVICE_TOKEN: `${token} x` },
      { ...home, PORT: token, SERVICE_BASE_URL: `http://u:${token}@x`, LOG_LEVEL: token },
    ];
    await pooled(settings, 3, async (env) => {
      const { code } = await runTaskHere(planted, "token", ["add", "x"], env);
      assertEquals(code === 0, false);
    });
    const { stdout } = await runTask(planted, "token", ["add", "planted"], home, {
      belongs: ["made token"],
    });
    watch.plant("made token", stdout.trim());
    await runTaskHere(planted, "token", ["add", "planted"], home);
    await runTaskHere(planted, "token", ["list"], home);
    await runTaskHere(planted, "token", ["revoke", "planted"], home);
    assertEquals(watch.search(), { leaks: [], belonging: ["made token"] });
  });
});
