/** Rounds of watching by `Deno.cron`, as Deno Deploy calls them. */
import { assert, assertEquals } from "@std/assert";
import { registerRounds } from "../../server/program/rounds.ts";
import { observerRecordsOn } from "../../server/store/records/observer_records.ts";
import { openPostgresql } from "../../server/store/database/postgresql.ts";
import { TOKEN } from "../app.ts";
import { runCommand } from "../processes.ts";
import { server } from "../server/store/postgres/shared.ts";

Deno.test("registerRounds: a round each minute, on the production timeline with a database alone", async () => {
  const rounds: string[] = [];
  for (const DENO_TIMELINE of ["production", "git-branch/main", "preview/1", undefined]) {
    for (const DATABASE_URL of ["postgres://db/docket", undefined]) {
      const env: Record<string, string | undefined> = { DENO_TIMELINE, DATABASE_URL };
      const called: Promise<void>[] = [];
      const cron = (_: string, schedule: string, work: () => Promise<void>) => {
        assertEquals(schedule, "* * * * *");
        called.push(work());
      };
      const round = () => Promise.resolve(void rounds.push(`${DENO_TIMELINE} ${DATABASE_URL}`));
      registerRounds({ cron, env: { get: (name) => env[name] } }, round);
      await called[0];
    }
  }
  assertEquals(rounds, ["production postgres://db/docket"]);
  // Where the runtime has no such thing, nothing happens.
  registerRounds({ env: { get: () => undefined } });
});

Deno.test("deploy: the program registers a round when it is loaded, which polls what is due", async () => {
  const url = await server.createSampleDatabase();
  const database = await openPostgresql({ url });
  const { watches } = observerRecordsOn(database);
  await watches.add([101], Date.now());
  const key = "k".repeat(32);
  const script = `Deno.cron = (...job) => globalThis.job = job;
    const program = await import(${JSON.stringify(new URL("../../main.ts", import.meta.url))});
    await globalThis.job[2]();
    console.log(globalThis.job[1], typeof program.default.fetch);
    Deno.exit();`;
  const { code, out, err } = await runCommand(Deno.execPath(), {
    args: ["eval", "--no-check", script],
    env: {
      ...{ DENO_DEPLOY: "1", DENO_TIMELINE: "production", DATABASE_URL: url, LOG_LEVEL: "info" },
      ...{ SESSION_KEY: key, RECORDS_KEY: key, SERVICE_TOKEN: TOKEN },
    },
  });
  assertEquals([code, out], [0, "* * * * * function\n"], err);
  assert((await watches.get(101))!.polled !== null);
  await database.close();
});
