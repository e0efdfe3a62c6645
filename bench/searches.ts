/**
 * Searches of 1,000,000 file sets on SQLite and PostgreSQL: usual ones, the worst ones, and how long
 * others wait meanwhile. Filling PostgreSQL takes minutes, so BENCH_DATABASE_URL may name a full one.
 */
import type { SearchBody } from "../lib/types.ts";
import { openStore, type StoreSettings } from "../server/store/open.ts";
import { sampleBatches } from "../server/store/sample/fill.ts";
import { startPostgres } from "../tests/server/store/postgres/server.ts";
import { withFolder } from "../tests/with_folder.ts";
import { atMost, type Bench, type Figure, milliseconds, quantile } from "./bench.ts";
import { API_HEADERS, startApp } from "./load.ts";

const FILE_SETS = 1_000_000;
const WORST_MS = 15_000;
const USUAL_MS = 1000;
const MEASURED_MS = 10_000;

interface BenchSearch {
  readonly query: string;
  readonly body: SearchBody;
}

const SORTS = ["name", "created", "updated", "owner", "description", "fileCount", "id"];

/** Words with many matches to none. */
const WORDS = ["inv", "lyo", "por", "ber", "sur", "123", "399", "größ", "xyz"];

/** One sort key at any offset, and texts of at least three letters. */
const USUAL: readonly BenchSearch[] = [
  ...SORTS.flatMap((field) =>
    (["ASC", "DESC"] as const).flatMap((order) =>
      [0, 0.5, 0.9].map((part) => ({
        query: `?offset=${FILE_SETS * part}`,
        body: { fieldSort: [{ field, order }] },
      }))
    )
  ),
  ...WORDS.map((word) => ({
    query: "",
    body: {
      filters: [{ field: "name", operator: "LIKE", value: [word] }],
      fieldSort: [{ field: "created" }],
    },
  })),
];

/** Searches that read or sort every row. */
const WORST: readonly BenchSearch[] = [
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
  const count = FILE_SETS * share;
  return [...await onSqlite(count), ...await onPostgres(count)];
};

export default bench;

function onSqlite(count: number): Promise<Figure[]> {
  return withFolder((dataDir) => measure("SQLite", count, 50, { dataDir, databaseUrl: null }));
}

async function onPostgres(count: number): Promise<Figure[]> {
  const given = Deno.env.get("BENCH_DATABASE_URL");
  const server = given === undefined ? await startPostgres() : null;
  try {
    const databaseUrl = given ?? await server!.createDatabase();
    return await withFolder((dataDir) =>
      measure("PostgreSQL", count, 100, { dataDir, databaseUrl })
    );
  } finally {
    await server?.stop();
  }
}

async function measure(
  engine: string,
  count: number,
  waitMs: number,
  settings: StoreSettings,
): Promise<Figure[]> {
  const store = await openStore(settings);
  if (await store.isEmpty()) {
    const rows = sampleBatches({ fileSets: count, schedules: 1, runs: 1 });
    await store.load(rows);
  }
  const { fileSets, pageContext } = await store.fileSets.search({}, { limit: 1000 });
  await store.close();
  const { dataDir, databaseUrl } = settings;
  const app = await startApp(dataDir, databaseUrl === null ? {} : { DATABASE_URL: databaseUrl });
  const on = `${engine}, ${pageContext.total} file sets`;
  const send = ({ query, body }: BenchSearch) =>
    fetch(`${app.origin}/api/files/v1/filesets/search${query}`, {
      method: "POST",
      headers: API_HEADERS,
      body: JSON.stringify(body),
    });
  try {
    const usual: number[] = [];
    for (const search of USUAL) usual.push(await timeOf(() => send(search), [200]));
    let lookups = 0;
    // A different value each time, so that no answer is cached.
    const idsToFind = () => [fileSets[lookups % fileSets.length].id, `other ${lookups++}`];
    const probes = {
      "a health check": () => fetch(`${app.origin}/healthz`),
      "the lookup of an id": () =>
        send({ query: "", body: { filters: [{ field: "id", value: idsToFind() }] } }),
    };
    const quiet = await probe(probes);
    const stop = new AbortController();
    const worst: number[] = [];
    const load = WORST.map(async ({ query, body }) => {
      for (let round = 0; !stop.signal.aborted; round++) {
        // Another value each time, so that no answer is cached.
        const other = { field: "fileCount", not: true, value: [`${-round - 1}`] };
        const search = { query, body: { ...body, filters: [...body.filters ?? [], other] } };
        worst.push(await timeOf(() => send(search), [200, 503]));
      }
    });
    const busy = await probe(probes);
    stop.abort();
    await Promise.all(load);
    return [
      atMost(
        `${on}: the slowest of ${usual.length} usual searches`,
        Math.max(...usual),
        USUAL_MS,
        milliseconds,
      ),
      atMost(
        `${on}: the slowest of ${worst.length} of the worst searches, answered or refused`,
        Math.max(...worst),
        WORST_MS,
        milliseconds,
      ),
      ...Object.keys(probes).map((what) =>
        atMost(
          `${on}: p99 of ${what} while the worst searches run`,
          busy[what],
          waitMs,
          milliseconds,
          `${milliseconds(quiet[what])} without them`,
        )
      ),
    ];
  } finally {
    await app.stop();
  }
}

async function timeOf(
  send: () => Promise<Response>,
  expected: readonly number[],
): Promise<number> {
  const started = performance.now();
  const response = await send();
  await response.arrayBuffer();
  if (!expected.includes(response.status)) {
    throw new Error(`A search was answered with ${response.status}`);
  }
  return performance.now() - started;
}

/** The 99th percentile of each probe's time, in milliseconds. */
async function probe(
  probes: Readonly<Record<string, () => Promise<Response>>>,
): Promise<Record<string, number>> {
  const times: Record<string, number[]> = {};
  const end = performance.now() + MEASURED_MS;
  while (performance.now() < end) {
    for (const [what, send] of Object.entries(probes)) {
      (times[what] ??= []).push(await timeOf(send, [200]));
    }
  }
  return Object.fromEntries(
    Object.entries(times).map(([what, each]) => [what, quantile(each, 0.99)]),
  );
}
