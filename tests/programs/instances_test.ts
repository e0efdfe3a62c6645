/** Two instances on one PostgreSQL, as real processes: when one is killed, nothing is lost. */
import { assertEquals, assertMatch } from "@std/assert";
// @ts-types="@types/pg"
import pg from "pg";
import { TOKEN } from "../app.ts";
import { eventually } from "../eventually.ts";
import { type Program, withProgram } from "../program.ts";
import { withFolder } from "../with_folder.ts";
import { server } from "../server/store/postgres/shared.ts";

async function statusOf({ origin }: Program, token = TOKEN): Promise<number> {
  const response = await fetch(`${origin}/api/files/v1/filesets/search?limit=1`, {
    method: "POST",
    headers: { "X-SERVICE-Developer-Token": token, "content-type": "application/json" },
    body: "{}",
  });
  await response.body?.cancel();
  return response.status;
}

/** Makes a token as people do, and gives it. */
async function makeToken(url: string): Promise<string> {
  const task = new URL("../../server/store/tasks/token_task.ts", import.meta.url).pathname;
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "-A", task, "add", "ci"],
    env: { DATABASE_URL: url },
  }).output();
  assertEquals(code, 0);
  return new TextDecoder().decode(stdout).trim();
}

Deno.test("[e2e] instances: after one is killed, the other answers all, and nothing is forgotten", async () => {
  const env = { DATABASE_URL: await server.createSampleDatabase(), RATE_LIMIT: "60" };
  await withProgram(env, (other) =>
    withProgram(env, async (killed) => {
      // Each made keys of its own, which the second one says.
      await eventually(() =>
        assertMatch(killed.printed(), /SESSION_KEY differs from that of the instance/)
      );
      const token = await makeToken(env.DATABASE_URL);
      for (let use = 0; use < 40; use++) assertEquals(await statusOf(killed, token), 200);
      const answers: Promise<number>[] = [];
      for (let use = 0; use < 20; use++) {
        if (use === 10) killed.process.kill("SIGKILL");
        answers.push(statusOf(other));
      }
      assertEquals(await Promise.all(answers), Array(20).fill(200));
      await killed.process.status;
      // What the other counted and who made the token are both known here.
      for (let use = 0; use < 20; use++) assertEquals(await statusOf(other, token), 200);
      assertEquals(await statusOf(other, token), 429);
    }));
});

async function killAmidMigration(DATA_DIR: string): Promise<void> {
  const env = { DATABASE_URL: await server.createDatabase() };
  const [blocker, observer] = [1, 2].map(() =>
    new pg.Client({ connectionString: env.DATABASE_URL })
  );
  await blocker.connect();
  await observer.connect();
  // The schema's own table of that name has to wait until this one is or is not.
  await blocker.query("BEGIN; CREATE TABLE runs ()");
  const killed = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "-A", "main.ts"],
    cwd: new URL("../..", import.meta.url),
    env: { ...env, SERVICE_TOKEN: TOKEN, PORT: "0", DATA_DIR },
    stdout: "null",
    stderr: "null",
  }).spawn();
  const waiting = (event: string) =>
    eventually(async () => {
      const { rows } = await observer.query(
        "SELECT 1 FROM pg_stat_activity WHERE application_name = 'docket' " +
          "AND datname = current_database() AND wait_event_type = 'Lock' AND wait_event = $1",
        [event],
      );
      assertEquals(rows.length, 1);
    });
  await waiting("transactionid");
  const serving = withProgram(env, async (program) => {
    await eventually(async () => assertEquals(await statusOf(program), 200));
  });
  await waiting("advisory");
  killed.kill("SIGKILL");
  await killed.status;
  await blocker.query("ROLLBACK");
  await serving;
  await blocker.end();
  await observer.end();
}

Deno.test("[e2e] instances: one is killed amid the schema's change, and the other makes it", () =>
  withFolder(killAmidMigration));
