/** Searches of 100,000 file sets on SQLite and PostgreSQL, one at a time: usual and the worst ones. */
import type { SearchBody } from "../lib/types.ts";
import { openDatabase, type StoreSettings } from "../server/store/open.ts";
import { storeOn } from "../server/store/store.ts";
import { sampleBatches } from "../server/store/sample/fill.ts";
import { startPostgres } from "../tests/server/store/postgres/server.ts";
import { withFolder } from "../tests/with_folder.ts";
import { atMost, type Bench, type Figure, milliseconds } from "./bench.ts";
import { API_HEADERS, startApp } from "./load.ts";

const FILE_SETS = 100_000;
const BUDGET_MS = 1000;

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
    query: "?limit=1000&offset=50000",
    body: { fieldSort: [{ field: "owner" }, { field: "name", order: "DESC" }] },
  },
  {
    query: "?limit=1000&offset=90000",
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
  const server = await startPostgres();
  try {
    const databaseUrl = await server.createDatabase();
    return [
      await withFolder((dataDir) => measure("SQLite", count, { dataDir, databaseUrl: null })),
      await withFolder((dataDir) => measure("PostgreSQL", count, { dataDir, databaseUrl })),
    ];
  } finally {
    await server.stop();
  }
};

export default bench;

async function measure(system: string, count: number, settings: StoreSettings): Promise<Figure> {
  const { dataDir, databaseUrl } = settings;
  const store = storeOn(await openDatabase(settings));
  await store.load(sampleBatches({ fileSets: count, schedules: 1, runs: 1 }));
  await store.close();
  const app = await startApp(dataDir, databaseUrl === null ? {} : { DATABASE_URL: databaseUrl });
  try {
    const times: number[] = [];
    for (const { query, body } of [...USUAL, ...WORST]) {
      const started = performance.now();
      const response = await fetch(`${app.origin}/api/files/v1/filesets/search${query}`, {
        method: "POST",
        headers: API_HEADERS,
        body: JSON.stringify(body),
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`A search was answered with ${response.status}`);
      times.push(performance.now() - started);
    }
    return atMost(
      `${system}, ${count} file sets: the slowest of ${times.length} searches`,
      Math.max(...times),
      BUDGET_MS,
      milliseconds,
    );
  } finally {
    await app.stop();
  }
}
