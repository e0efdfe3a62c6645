/**
 * PostgreSQL: import, one instance of the app and two on the same database under the same load, and
 * what becomes of requests when one of two is killed.
 */
// @ts-types="@types/pg"
import pg from "pg";
import { openPostgres } from "../server/store/postgres/open_postgres.ts";
import { FILE_SET_COLUMNS, fileSetValues } from "../server/store/stored_rows.ts";
import { sampleFileSets } from "../server/store/sample/file_sets.ts";
import { type PostgresServer, startPostgres } from "../tests/server/store/postgres/server.ts";
import { type Figure, figureOf, median } from "./bench.ts";
import { type ServingProgram, startApp, TOKEN } from "./load.ts";
import { importSeconds } from "./import_seconds.ts";

const ROWS = 100_000;
const CONNECTIONS = 16;

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
    const imported = await importing(server, url, folder);
    for (let count = 0; count < 2; count++) {
      instances.push(await startApp(folder, { DATABASE_URL: url }));
    }
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
    return [...imported, {
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

/** `deno task import` as a process, compared with the server's own COPY with the same indexes. */
async function importing(server: PostgresServer, url: string, folder: string): Promise<Figure[]> {
  const byHand = await server.createDatabase();
  for (const each of [url, byHand]) await (await openPostgres({ url: each })).close();
  const lines: string[] = [];
  const cells: string[] = [];
  for (const row of sampleFileSets(ROWS, 0)) {
    lines.push(`${JSON.stringify(row)}\n`);
    cells.push(`${fileSetValues(row).map(copyCell).join("\t")}\n`);
  }
  await Deno.writeTextFile(`${folder}/rows.ndjson`, lines.join(""));
  await Deno.writeTextFile(`${folder}/rows.copy`, cells.join(""));
  await Deno.chmod(folder, 0o755); // The server reads the file itself.

  const client = new pg.Client({ connectionString: byHand });
  await client.connect();
  const started = performance.now();
  await client.query(
    `COPY file_sets (${FILE_SET_COLUMNS.join(", ")}) FROM '${folder}/rows.copy'`,
  );
  await client.query("VACUUM (ANALYZE) file_sets");
  const theirs = (performance.now() - started) / 1000;
  const indexed = await indexes(client);
  await client.end();

  const env = { DATABASE_URL: url, DATA_DIR: folder };
  const imported = figureOf(
    `import of ${ROWS} file sets into PostgreSQL from NDJSON, against its own COPY into the ` +
      "same table and indexes",
    { measured: await importSeconds(`${folder}/rows.ndjson`, env), baseline: theirs },
    (seconds) => `${seconds.toFixed(1)} s`,
    "≤ 2",
  );
  return [imported, ...indexed];
}

/** The descending orders that have no index of their own. */
const BACKWARDS = [
  "name_start DESC",
  "created DESC",
  "updated DESC",
  "description_start DESC NULLS LAST",
  "file_count DESC",
];

/** What descending indexes would cost and save. */
async function indexes(client: pg.Client): Promise<Figure[]> {
  const size = async () => {
    const { rows } = await client.query("SELECT pg_indexes_size('file_sets') / 1e6 AS mb");
    return Number(rows[0].mb);
  };
  const firstPage = async (order: string) => {
    const times: number[] = [];
    for (let round = 0; round < 20; round++) {
      const started = performance.now();
      await client.query(
        `SELECT json FROM (SELECT id FROM file_sets ORDER BY ${order}, id LIMIT 100) AS page ` +
          `JOIN file_sets USING (id) ORDER BY ${order}, id`,
      );
      times.push(performance.now() - started);
    }
    return median(times);
  };
  const each = await sizes(client);
  const without: { size: number; times: number[] } = { size: await size(), times: [] };
  for (const order of BACKWARDS) without.times.push(await firstPage(order));
  for (const order of BACKWARDS) await client.query(`CREATE INDEX ON file_sets (${order}, id)`);
  const sizeWith = await size();
  const figures: Figure[] = [
    ...each,
    figureOf(
      `indexes of ${ROWS} file sets, against those with five more for descending orders`,
      { measured: without.size, baseline: sizeWith },
      (mb) => `${mb.toFixed(0)} MB`,
    ),
  ];
  for (const [at, order] of BACKWARDS.entries()) {
    figures.push(figureOf(
      `first page by ${order.split(" ")[0]}, descending, against one with its own index`,
      { measured: without.times[at], baseline: await firstPage(order) },
      (ms) => `${ms.toFixed(1)} ms`,
    ));
  }
  return figures;
}

/** The size of each index, compared with the table. */
async function sizes(client: pg.Client): Promise<Figure[]> {
  const { rows } = await client.query<{ name: string; mb: number; table_mb: number }>(
    "SELECT indexrelid::regclass::text AS name, pg_relation_size(indexrelid) / 1e6::float AS mb, " +
      "pg_table_size(indrelid) / 1e6::float AS table_mb " +
      "FROM pg_index WHERE indrelid = 'file_sets'::regclass ORDER BY mb DESC, name",
  );
  return rows.map(({ name, mb, table_mb }) =>
    figureOf(
      `${name} of ${ROWS} file sets, against the table itself`,
      { measured: mb, baseline: table_mb },
      (mb) => `${mb.toFixed(1)} MB`,
    )
  );
}

function copyCell(value: string | number | null): string {
  return value === null ? "\\N" : String(value).replace(/[\\\t\n\r]/g, "\\$&");
}

/** Requests per second of connections that are shared by the instances. */
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

/** Loads both, kills the first one in the middle, and counts what failed at the second. */
async function loadWhileOneIsKilled(first: ServingProgram, second: ServingProgram) {
  const doomed = load([first], 1500);
  const other = load([second], 4000);
  await doomed;
  const stillAsked = load([first], 1000);
  Deno.kill(first.pid, "SIGKILL");
  await stillAsked;
  return await other;
}
