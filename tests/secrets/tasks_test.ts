import { assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { pooled } from "./pooled.ts";
import { faultyTokens, withEchoingUpstream } from "./echo.ts";
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

/** Serves rows of file sets that can be read, but not taken. */
async function withRows(
  fileSets: readonly unknown[],
  test: (url: string) => Promise<void>,
): Promise<void> {
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  const server = Deno.serve(
    options,
    () => Response.json({ fileSets, pageContext: { total: fileSets.length } }),
  );
  try {
    await test(`http://127.0.0.1:${server.addr.port}`);
  } finally {
    await server.shutdown();
  }
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

    await withEchoingUpstream(planted, async ({ url, misbehave }) => {
      misbehave();
      const codes = await pooled(faultyTokens(planted), 14, async (SYNC_FROM_TOKEN) => {
        const env = { ...newFolder(), SYNC_FROM_URL: url, SYNC_FROM_TOKEN };
        return (await runTaskHere(planted, "sync", ["--schedules", "901"], env)).code;
      });
      assertEquals(codes.filter((code) => code === 0), []);
    });
    const untaken = [{ id: "a", created: token }, { id: "b", created: planted.addresses[0] }];
    await withRows(untaken, async (url) => {
      const env = { ...newFolder(), SYNC_FROM_URL: url, SYNC_FROM_TOKEN: token };
      const { code, stderr } = await runTask(planted, "sync", [], env);
      assertEquals([code, stderr.match(/created/g)?.length], [1, 2]);
    });
    for (const address of [`http://user:${token}@127.0.0.1`, `http://127.0.0.1/?key=${token}`]) {
      const from = { SYNC_FROM_URL: address, SYNC_FROM_TOKEN: token };
      await runTaskHere(planted, "sync", [], { ...home, ...from });
    }

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
    database.exec("ALTER TABLE tokens RENAME TO a; ALTER TABLE run_versions RENAME TO b");
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
