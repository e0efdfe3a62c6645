/**
 * The program as Deno Deploy runs it, as far as that can be had here: all permissions but to write
 * files, no flags, an address given from outside.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import denoConfig from "../../deno.json" with { type: "json" };
import { registerRounds } from "../../server/program/rounds.ts";
import { openPostgresql } from "../../server/store/database/postgresql.ts";
import { observerRecordsOn } from "../../server/store/records/observer_records.ts";
import { signInByForm, TOKEN, withServer } from "../app.ts";
import { eventually } from "../eventually.ts";
import { freePort, outputOfCommand, runCommand } from "../processes.ts";
import { type Running, withProcess } from "../program.ts";
import { pathOfEachRoute } from "../routes/route_requests.ts";
import { server } from "../server/store/postgres/shared.ts";

const PUBLIC_ORIGIN = "https://docket.example.com";
const KEY = "session-key-of-the-tests-".repeat(2);
const NOTHING = "Nothing to do: the data is not in PostgreSQL\n";
const BANNER = "Sample data in memory.";

type Env = Readonly<Record<string, string>>;

const PLATFORM = { DENO_DEPLOY: "true", DENO_DEPLOYMENT_ID: "of-the-tests", DATABASE_URL: "" };

const ROOT = new URL("../../", import.meta.url);

/** Runs the command that comes before an instance starts; gives what it printed. */
function predeploy(env: Env): Promise<string> {
  const args = ["-c", denoConfig.deploy.predeploy];
  return outputOfCommand("sh", { args, cwd: ROOT, env: { ...PLATFORM, ...env } });
}

interface Instance extends Running {
  readonly origin: string;
}

/** Runs a test with an instance, which can't write any file. */
async function withInstance(env: Env, test: (instance: Instance) => Promise<void>): Promise<void> {
  const address = `127.0.0.1:${freePort()}`;
  const options = {
    args: ["run", "-A", "--deny-write", "main.ts"],
    cwd: ROOT,
    env: { ...PLATFORM, DENO_SERVE_ADDRESS: `tcp:${address}`, ...env },
  };
  await withProcess(
    [Deno.execPath(), options],
    /listens on/,
    (running) => test({ ...running, origin: `http://${address}` }),
  );
}

/** Signs in at an instance, as a browser behind the platform's TLS does; gives what reads pages. */
async function signIn(instance: Instance) {
  const send = (path: string, init: RequestInit) => fetch(instance.origin + path, init);
  const { cookie } = await signInByForm(send, { token: TOKEN }, { origin: PUBLIC_ORIGIN });
  assertMatch(cookie, /^__Host-docket_session=/);
  return async (at: Instance, path: string) => {
    const page = await fetch(at.origin + path, { headers: { cookie }, redirect: "manual" });
    const isPage = page.headers.get("content-type")?.startsWith("text/html") ?? false;
    return { isPage, text: await page.text() };
  };
}

/** Ends an instance as the platform does. */
async function assertEnds({ end }: Instance): Promise<void> {
  assertEquals(await end("SIGINT"), 0);
}

Deno.test("deploy: with PostgreSQL, two instances share the data and the sessions", async () => {
  const env = {
    ...{ PUBLIC_ORIGIN, SESSION_KEY: KEY, RECORDS_KEY: KEY, SERVICE_TOKEN: TOKEN },
    DATABASE_URL: await server.createSampleDatabase(),
  };
  assertEquals(await predeploy(env), "The schema in PostgreSQL is up to date\n");
  await withInstance(env, async (first) => {
    const read = await signIn(first);
    await withInstance(env, async (second) => {
      await assertEnds(first);
      const { text } = await read(second, "/filesets");
      assert(text.includes("5,000 file sets") && !text.includes(BANNER));
      const csv = await read(second, "/filesets/export?format=csv");
      assertEquals(csv.text.trim().split("\n").length, 5001);
      await assertEnds(second);
    });
  });
});

Deno.test("deploy: with an upstream, a session key is enough", () =>
  withServer({}, async ({ origin }) => {
    const env = { PUBLIC_ORIGIN, SESSION_KEY: KEY, SERVICE_BASE_URL: origin };
    assertEquals(await predeploy(env), NOTHING);
    await withInstance(env, async (instance) => {
      const read = await signIn(instance);
      assertStringIncludes((await read(instance, "/filesets")).text, "5,000 file sets");
    });
  }));

Deno.test("deploy: with neither, sample data is in memory, watched, and every page says so", async () => {
  const env = { PUBLIC_ORIGIN, SESSION_KEY: KEY, SERVICE_TOKEN: TOKEN };
  assertEquals(await predeploy(env), NOTHING);
  await withInstance(env, async (instance) => {
    const read = await signIn(instance);
    await eventually(async () =>
      assertStringIncludes((await read(instance, "/")).text, "Failing for 7 runs")
    );
    let pages = 0;
    for (const path of [...pathOfEachRoute(), "/nowhere"]) {
      const { isPage, text } = await read(instance, path);
      if (isPage) pages++;
      assert(!isPage || text.includes(BANNER), path);
    }
    assert(pages > 20, `${pages} pages`);
    await assertEnds(instance);
  });
});

Deno.test("registerRounds: a round each minute, on the production timeline with a database alone", async () => {
  const cases = [
    ["production", "postgres://db/docket", 1],
    ["production", undefined, 0],
    ["preview/1", "postgres://db/docket", 0],
    [undefined, "postgres://db/docket", 0],
  ] as const;
  for (const [DENO_TIMELINE, DATABASE_URL, expected] of cases) {
    let rounds = 0;
    const jobs: [string, string, () => Promise<void>][] = [];
    const env = new Map(Object.entries({ DENO_TIMELINE, DATABASE_URL }));
    const cron = (...job: typeof jobs[number]) => jobs.push(job);
    registerRounds({ cron, env }, () => Promise.resolve(void rounds++));
    const [[, schedule, work]] = jobs;
    await work();
    assertEquals([schedule, rounds], ["* * * * *", expected]);
  }
  // Where the runtime has no such thing, nothing happens.
  registerRounds({ env: new Map() });
});

Deno.test("deploy: the program registers a round when it is loaded, which polls what is due", async () => {
  const url = await server.createSampleDatabase();
  const database = await openPostgresql({ url });
  const { watches } = observerRecordsOn(database);
  await watches.add([101], Date.now());
  const script = `Deno.cron = (...job) => globalThis.job = job;
    const program = await import(${JSON.stringify(new URL("main.ts", ROOT))});
    await globalThis.job[2]();
    console.log(globalThis.job[1], typeof program.default.fetch);
    Deno.exit();`;
  const { code, out, err } = await runCommand(Deno.execPath(), {
    args: ["eval", "--no-check", script],
    env: {
      ...{ ...PLATFORM, DENO_TIMELINE: "production", DATABASE_URL: url },
      ...{ SESSION_KEY: KEY, RECORDS_KEY: KEY, SERVICE_TOKEN: TOKEN },
    },
  });
  assertEquals([code, out], [0, "* * * * * function\n"], err);
  assert((await watches.get(101))!.polled !== null);
  await database.close();
});
