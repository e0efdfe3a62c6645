/**
 * How long a health check and the lookup of one file set take during the worst searches, compared
 * with the same without them, behind the real program: 1,000,000 file sets in SQLite and in
 * PostgreSQL. Filling PostgreSQL takes minutes, so a database at BENCH_DATABASE_URL is used as it
 * is.
 */
import { openStore, type StoreSettings } from "../server/store/open.ts";
import { sampleBatches } from "../server/store/sample/fill.ts";
import { startPostgres } from "../tests/server/store/postgres/server.ts";
import { type Bench, type Figure, withFolder } from "./bench.ts";
import { startApp, TOKEN } from "./load.ts";

const FILE_SETS = 1_000_000;
const MEASURED_MS = 10_000;

const headers = { "X-SERVICE-Developer-Token": TOKEN, "content-type": "application/json" };

/** Searches that have to look at every row, or to sort all of them. */
const WORST = [
  {
    query: "?limit=1000&offset=500000",
    body: { fieldSort: [{ field: "owner" }, { field: "name", order: "DESC" }] },
  },
  {
    query: "?limit=1000&offset=900000",
    body: { fieldSort: [{ field: "description", order: "DESC" }, { field: "fileCount" }] },
  },
  {
    query: "?limit=1000",
    body: {
      filters: [{
        field: "id",
        operator: "LIKE",
        value: Array.from({ length: 10 }, (_, n) => `abc${n}`),
      }],
    },
  },
];

const bench: Bench = async (share) => {
  const fileSets = FILE_SETS * share;
  return [...await onSqlite(fileSets), ...await onPostgres(fileSets)];
};

export default bench;

function onSqlite(fileSets: number): Promise<Figure[]> {
  return withFolder((dataDir) => measure("SQLite", fileSets, { dataDir, databaseUrl: null }));
}

async function onPostgres(fileSets: number): Promise<Figure[]> {
  const given = Deno.env.get("BENCH_DATABASE_URL");
  const server = given === undefined ? await startPostgres() : null;
  try {
    const databaseUrl = given ?? await server!.createDatabase();
    return await withFolder((dataDir) => measure("PostgreSQL", fileSets, { dataDir, databaseUrl }));
  } finally {
    await server?.stop();
  }
}

async function measure(
  engine: string,
  count: number,
  settings: StoreSettings,
): Promise<Figure[]> {
  const store = await openStore(settings);
  if (await store.isEmpty()) {
    const rows = sampleBatches({ fileSets: count, schedules: 1, runs: 1 });
    await Array.fromAsync(store.load(rows));
  }
  const { fileSets, pageContext } = await store.fileSets.search({}, { limit: 1000 });
  await store.close();
  const { dataDir, databaseUrl } = settings;
  const app = await startApp(dataDir, databaseUrl === null ? {} : { DATABASE_URL: databaseUrl });
  try {
    const search = (query: string, body: unknown) =>
      fetch(`${app.origin}/api/files/v1/filesets/search${query}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
    let lookups = 0;
    // A different value each time, so that no answer is cached.
    const idsToFind = () => [fileSets[lookups % fileSets.length].id, `other ${lookups++}`];
    const probes = {
      "a health check": () => fetch(`${app.origin}/healthz`),
      "the lookup of an id": () => search("", { filters: [{ field: "id", value: idsToFind() }] }),
    };
    const quiet = await slowest(probes);
    const stop = new AbortController();
    const load = WORST.map(async ({ query, body }) => {
      for (let round = 0; !stop.signal.aborted; round++) {
        // A value of its own makes each search new.
        const filters = [
          ...body.filters ?? [],
          { field: "fileCount", not: true, value: [`${-round - 1}`] },
        ];
        await (await search(query, { ...body, filters })).arrayBuffer();
      }
    });
    const busy = await slowest(probes);
    stop.abort();
    await Promise.all(load);
    return Object.keys(probes).map((what) => ({
      what:
        `${engine}, ${pageContext.total} file sets: p99 of ${what} while the worst searches run`,
      measured: `${busy[what].toFixed(1)} ms`,
      baseline: `${quiet[what].toFixed(1)} ms without them`,
      ratio: busy[what] / quiet[what],
    }));
  } finally {
    await app.stop();
  }
}

/** The 99th percentile of each probe's time in milliseconds, one probe after the other. */
async function slowest(
  probes: Readonly<Record<string, () => Promise<Response>>>,
): Promise<Record<string, number>> {
  const times: Record<string, number[]> = {};
  const end = performance.now() + MEASURED_MS;
  while (performance.now() < end) {
    for (const [what, send] of Object.entries(probes)) {
      const started = performance.now();
      const response = await send();
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${what} was answered with ${response.status}`);
      (times[what] ??= []).push(performance.now() - started);
    }
  }
  return Object.fromEntries(
    Object.entries(times).map(([what, each]) => [what, quantile(each, 0.99)]),
  );
}

function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * share)];
}
