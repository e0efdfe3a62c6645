/**
 * PostgreSQL: one instance of the app and two on the same database under the same load, and what
 * becomes of requests when one of two is killed.
 */
import { openPostgresStore } from "../server/store/postgres/engine.ts";
import { samplePieces } from "../server/store/sample/fill.ts";
import { startPostgres } from "../tests/server/store/postgres/server.ts";
import { type Figure, median } from "./bench.ts";
import { type ServingProgram, startServing } from "./load.ts";

const ROWS = 100_000;
const CONNECTIONS = 16;
const TOKEN = "token-of-the-benchmark";

const init: RequestInit = {
  method: "POST",
  body: JSON.stringify({ fieldSort: [{ field: "name" }] }),
  headers: { "X-SERVICE-Developer-Token": TOKEN, "content-type": "application/json" },
};

export default async function storeOnPostgres(): Promise<Figure[]> {
  const server = await startPostgres();
  const folder = await Deno.makeTempDir();
  const instances: ServingProgram[] = [];
  try {
    const url = await server.createDatabase();
    const store = await openPostgresStore({ url });
    for await (const _ of store.load(samplePieces({ fileSets: ROWS }))) { /* counted below */ }
    await store.close();
    const env = { PORT: "0", DATA_DIR: folder, SERVICE_TOKEN: TOKEN, DATABASE_URL: url };
    for (let count = 0; count < 2; count++) instances.push(await startServing(["main.ts"], env));
    const [first, second] = instances;
    const one: number[] = [];
    const two: number[] = [];
    await load([first], 1000);
    await load([second], 1000);
    for (let round = 0; round < 3; round++) {
      one.push((await load([first], 3000)).perSecond);
      two.push((await load([first, second], 3000)).perSecond);
    }
    const killed = await loadWhileOneIsKilled(first, second);
    return [{
      what: `first page of ${ROWS} file sets on PostgreSQL, two instances against one, same load`,
      measured: `${median(two).toFixed(0)} requests/s`,
      baseline: `${median(one).toFixed(0)} requests/s`,
      ratio: median(two) / median(one),
    }, {
      what: "requests that the other of two instances failed while one was killed, against all " +
        "that reached it",
      measured: `${killed.failed} failed`,
      baseline: `${killed.sent} sent`,
      ratio: killed.failed / killed.sent,
      target: "≤ 0",
    }];
  } finally {
    for (const instance of instances) await instance.stop().catch(() => {});
    await server.stop();
    await Deno.remove(folder, { recursive: true });
  }
}

/** Requests a second of connections that are shared out among the instances. */
async function load(instances: readonly ServingProgram[], ms: number) {
  const started = performance.now();
  let sent = 0;
  let failed = 0;
  const work = async (connection: number) => {
    const { origin } = instances[connection % instances.length];
    while (performance.now() - started < ms) {
      sent++;
      const response = await fetch(`${origin}/api/files/v1/filesets/search`, init)
        .catch(() => undefined);
      await response?.arrayBuffer();
      if (!response?.ok) failed++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => work(index)));
  return { sent, failed, perSecond: sent / ((performance.now() - started) / 1000) };
}

/** Puts a load on both, kills the first in the middle, and counts what the second failed. */
async function loadWhileOneIsKilled(first: ServingProgram, second: ServingProgram) {
  const doomed = load([first], 1500);
  const other = load([second], 4000);
  await doomed;
  const stillAsked = load([first], 1000);
  Deno.kill(first.pid, "SIGKILL");
  await stillAsked;
  return await other;
}
