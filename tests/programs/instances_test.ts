/** Two instances on one PostgreSQL, as real processes: ending either loses nothing that was reported as stored. */
import { assert, assertEquals, assertMatch } from "@std/assert";
// @ts-types="@types/pg"
import pg from "pg";
import { TOKEN } from "../app.ts";
import { eventually } from "../eventually.ts";
import { type Program, withProgram } from "../program.ts";
import { server } from "../server/store/postgres/shared.ts";
import { sampleFileSets } from "../../server/store/sample/file_sets.ts";
import { reportUntil, startTask } from "../server/store/tasks/child.ts";

async function search({ origin }: Pick<Program, "origin">, token = TOKEN): Promise<Response> {
  return await fetch(`${origin}/api/files/v1/filesets/search?limit=1`, {
    method: "POST",
    headers: { "X-SERVICE-Developer-Token": token, "content-type": "application/json" },
    body: "{}",
  });
}

async function statusOf(program: Program, token?: string): Promise<number> {
  const response = await search(program, token);
  await response.body?.cancel();
  return response.status;
}

async function totalOf(program: Pick<Program, "origin">): Promise<number> {
  return (await (await search(program)).json()).pageContext.total;
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

for (const signal of ["SIGKILL", "SIGTERM"] as const) {
  Deno.test(`[e2e] instances: after ${signal} of one, the other answers all, and nothing is forgotten`, async () => {
    const env = { DATABASE_URL: await server.createSampleDatabase(), RATE_LIMIT: "60" };
    await withProgram(env, (other) =>
      withProgram(env, async (ending) => {
        // Each made keys of its own, which the second one says.
        await eventually(() =>
          assertMatch(ending.printed(), /SESSION_KEY differs from that of the instance/)
        );
        assert(!/SERVICE_TOKEN is not/.test(ending.printed() + other.printed()));
        const token = await makeToken(env.DATABASE_URL);
        for (let use = 0; use < 40; use++) assertEquals(await statusOf(ending, token), 200);
        const answers: Promise<number>[] = [];
        for (let use = 0; use < 20; use++) {
          if (use === 10) ending.process.kill(signal);
          answers.push(statusOf(other));
        }
        assertEquals(await Promise.all(answers), Array(20).fill(200));
        await ending.process.status;
        // What the other counted and who made the token are both known here.
        for (let use = 0; use < 20; use++) assertEquals(await statusOf(other, token), 200);
        assertEquals(await statusOf(other, token), 429);
        assertEquals(await totalOf(other), 5000);
      }));
  });
}

const SAMPLE_ROWS = 5000;
const ROWS = 15_000;

Deno.test("[e2e] instances: of two imports one is killed, the other ends, and the first runs again", async () => {
  const folder = await Deno.makeTempDir();
  const env = { DATABASE_URL: await server.createSampleDatabase() };
  const rows = [...sampleFileSets(SAMPLE_ROWS + 2 * ROWS, 0)].slice(SAMPLE_ROWS)
    .map((row) => `${JSON.stringify(row)}\n`);
  const [one, two] = [`${folder}/one.ndjson`, `${folder}/two.ndjson`];
  await Deno.writeTextFile(one, rows.slice(0, ROWS).join(""));
  await Deno.writeTextFile(two, rows.slice(ROWS).join(""));
  await withProgram(env, async (program) => {
    const [killed, other] = [startTask("import", [one], env), startTask("import", [two], env)];
    const ended = reportUntil(other, /never/);
    const report = await reportUntil(killed, /^10000 read/m);
    killed.kill("SIGKILL");
    assertEquals((await killed.status).signal, "SIGKILL");
    assertEquals((await other.status).code, 0, await ended);
    const reported = Math.max(...report.matchAll(/^(\d+) read/gm).map((match) => Number(match[1])));
    const total = await totalOf(program);
    const kept = total - SAMPLE_ROWS - ROWS;
    assert(kept >= reported, `${kept} kept, ${reported} reported`);

    const again = startTask("import", [one], env);
    const rest = await reportUntil(again, /never/);
    assertEquals((await again.status).code, 0, rest);
    assertEquals(await totalOf(program), SAMPLE_ROWS + 2 * ROWS);
  });
  await Deno.remove(folder, { recursive: true });
});

Deno.test("[e2e] instances: one is killed amid the schema's change, and the other makes it", async () => {
  const env = { DATABASE_URL: await server.createDatabase(), SERVICE_TOKEN: TOKEN, PORT: "0" };
  const [blocker, observer] = [1, 2].map(() =>
    new pg.Client({ connectionString: env.DATABASE_URL })
  );
  await blocker.connect();
  await observer.connect();
  // The schema's own table of that name has to wait until this one is or is not.
  await blocker.query("BEGIN; CREATE TABLE runs ()");
  const dataDir = await Deno.makeTempDir();
  const killed = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "-A", "main.ts"],
    cwd: new URL("../..", import.meta.url),
    env: { ...env, DATA_DIR: dataDir },
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
    await eventually(async () => assertEquals(await totalOf(program), 5000));
  });
  await waiting("advisory");
  killed.kill("SIGKILL");
  assertEquals((await killed.status).signal, "SIGKILL");
  await blocker.query("ROLLBACK");
  await serving;
  await blocker.end();
  await observer.end();
  await Deno.remove(dataDir, { recursive: true });
});
