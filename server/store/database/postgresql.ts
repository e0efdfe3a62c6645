/** PostgreSQL, which several instances of Docket can share. */
import { abortable } from "@std/async/abortable";
// @ts-types="@types/pg"
import pg from "pg";
import {
  type Answer,
  type Database,
  DatabaseError,
  type DatabaseErrorKind,
  databaseOn,
  DEADLINE_MS,
  type Driver,
  type OpenOptions,
  type ReadOptions,
  type Run,
} from "./database.ts";
import { migrate } from "../schema/migrate.ts";
import { X509Certificate } from "node:crypto";
import { getCACertificates } from "node:tls";

interface PostgresqlOptions extends OpenOptions {
  readonly url: string;
}

/** How long one waits for a connection: for a free one of the pool, or for the network. */
const CONNECT_MS = 5000;
/** How long a network that drops everything is waited for beyond PostgreSQL's own timeout. */
const NETWORK_MS = 3000;
/** PostgreSQL ends one of two transactions that wait for each other, so that the other can go on. */
const DEADLOCK = "40P01";
const MAX_ATTEMPTS = 5;
/** The connections of each pool. */
const MAX_CONNECTIONS = 5;
/** Any number, as long as it never changes. */
const MIGRATIONS_LOCK = 4_715_033_012;
/** The longest that the driver takes. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** Opens a database with the current schema; throws a DatabaseError when it can't be used. */
export async function openPostgresql(
  { url, deadlineMs = DEADLINE_MS, create, recordsKeys = () => [], migrations }: PostgresqlOptions,
): Promise<Database> {
  const lockMs = Math.ceil(deadlineMs / 3);
  // For a transaction alone: a pooler such as PgBouncer gives the connection to others after it.
  const begin = [
    "BEGIN",
    `SET LOCAL statement_timeout = ${deadlineMs}`,
    `SET LOCAL lock_timeout = ${lockMs}`,
    // The default suits rotating disks: it reads whole tables where an index is faster.
    "SET LOCAL random_page_cost = 1.1",
  ].join("; ");
  const address = readAddress(url);
  const openPool = (wanted: string) => createPool(wanted, { ...address, deadlineMs });
  // Searches have their own pool, so that no lookup waits for a connection.
  const pools = { lookup: openPool("lookups"), search: openPool("searches") };

  function transaction<Result>(
    work: (run: Run, client: pg.PoolClient) => Promise<Result>,
    { lane = "lookup", signal }: ReadOptions = {},
  ): Promise<Result> {
    return pools[lane].use(async (client) => {
      await control(client, begin);
      const result = await work((statement) => query(client, statement), client);
      // PostgreSQL undoes everything after an error, also one that was caught, and says so here alone.
      const ended = await control(client, "COMMIT");
      if (ended !== "COMMIT") throw new Error("An error was caught: the transaction was undone");
      return result;
    }, signal);
  }

  /** Runs one statement, and cancels it when nobody waits for it any more. */
  function runAlone(
    statement: Parameters<Run>[0],
    { lane, signal }: ReadOptions = {},
  ): Promise<Answer> {
    return transaction(async (run, client) => {
      const cancel = () => {
        const { processID } = client as { processID?: number };
        // If this fails, the statement ends at PostgreSQL's own timeout.
        const text = "SELECT pg_cancel_backend($1)";
        runAlone({ text, values: [processID!] }).catch(() => {});
      };
      signal?.addEventListener("abort", cancel);
      try {
        // Whoever left during BEGIN is not heard of any more.
        signal?.throwIfAborted();
        return await run(statement);
      } finally {
        signal?.removeEventListener("abort", cancel);
        // Closes the connection: a late cancellation must not hit the next statement.
        signal?.throwIfAborted();
      }
    }, { lane, signal });
  }

  const driver: Driver = {
    system: "postgresql",
    recordsKeys,
    read: runAlone,
    write: (statement) => runAlone(statement),
    transaction: (work) => transaction(work),
    maintain: ({ text }) => pools.lookup.use((client) => query(client, { text })),
    close: async () => void await Promise.all(Object.values(pools).map((pool) => pool.end())),
  };
  try {
    await migrate("postgresql", { read: driver.write, transaction }, {
      create,
      migrations,
      begin: [
        "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0",
        // Held until the transaction ends; other instances then find nothing missing.
        `SELECT pg_advisory_xact_lock(${MIGRATIONS_LOCK})`,
        // Searches queue behind a migration that waits for a table.
        `SET LOCAL lock_timeout = ${lockMs}`,
      ],
    });
  } catch (error) {
    await driver.close();
    throw error;
  }
  return databaseOn(driver);
}

function createPool(
  wanted: string,
  { deadlineMs, ...address }: pg.PoolConfig & { readonly deadlineMs: number },
) {
  const pool = new pg.Pool({
    ...address,
    max: MAX_CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    // Later than PostgreSQL's own timeout, for a network that drops everything.
    query_timeout: deadlineMs + NETWORK_MS,
    application_name: "docket",
    types: { getTypeParser: parserFor },
  } as pg.PoolConfig);
  // Without a listener, a broken connection would end the program.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));

  async function connect(signal?: AbortSignal): Promise<pg.PoolClient> {
    const connecting = pool.connect();
    try {
      return await (signal ? abortable(connecting, signal) : connecting);
    } catch (error) {
      connecting.then((client) => client.release(), () => {});
      if (!isPoolInUse(error)) throw toDatabaseError(error);
      const kind = wanted === "searches" ? "busy" : "noConnection";
      throw new DatabaseError(
        kind,
        "",
        `all ${MAX_CONNECTIONS} connections for ${wanted} are in use`,
      );
    }
  }

  return {
    /** Does work with a connection, again if it was undone as two waited for each other. */
    async use<Result>(
      work: (client: pg.PoolClient) => Promise<Result>,
      signal?: AbortSignal,
      attempts = MAX_ATTEMPTS,
    ): Promise<Result> {
      const client = await connect(signal);
      try {
        const result = await work(client);
        client.release();
        return result;
      } catch (error) {
        // Closes the connection, which may be broken, read-only or in a transaction by now.
        client.release(true);
        const isDeadlock = error instanceof DatabaseError && error.code === DEADLOCK;
        if (!isDeadlock || attempts === 1) throw error;
        return await this.use(work, signal, attempts - 1);
      }
    },
    end: () => pool.end(),
  };
}

/** Begins or ends a transaction; returns what PostgreSQL did. */
async function control(client: pg.PoolClient, text: string): Promise<string> {
  try {
    return (await client.query(text)).command;
  } catch (error) {
    throw toDatabaseError(error);
  }
}

async function query(
  client: pg.PoolClient,
  { text, values }: Parameters<Run>[0],
): Promise<Answer> {
  try {
    if (!values) {
      await client.query({ text, query_timeout: NO_TIMEOUT_MS } as pg.QueryConfig);
      return { columns: [], rows: [], changed: 0 };
    }
    const { fields, rows, rowCount } = await client.query({
      text,
      values: [...values],
      rowMode: "array" as const,
    });
    return { columns: fields.map(({ name }) => name), rows, changed: rowCount ?? 0 };
  } catch (error) {
    throw toDatabaseError(error);
  }
}

// Every bigint in the database is below 2^53: Docket accepts nothing larger.
const parserFor =
  ((oid: number, format: "text" | "binary") =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser;

const CERTIFICATES = ["sslcert", "sslkey", "sslrootcert"] as const;

/**
 * Where the database is, for the driver. Like libpq, and unlike the driver, it takes
 * `sslrootcert=system` for the system's certificates, and checks the host's name then.
 */
export function readAddress(connectionString: string): pg.PoolConfig {
  const url = URL.parse(connectionString);
  if (!url) return { connectionString };
  // All are read here, because the driver would not name the one that it can't read.
  const [cert, key] = CERTIFICATES.map((name) => readCertificate(name, url.searchParams.get(name)));
  if (url.searchParams.get("sslrootcert") !== "system") return { connectionString };
  for (const name of [...CERTIFICATES, "sslmode"]) url.searchParams.delete(name);
  return { connectionString: url.href, ssl: { ca: getCACertificates("system"), cert, key } };
}

function readCertificate(name: string, path: string | null): string | undefined {
  if (path === null || name === "sslrootcert" && path === "system") return undefined;
  let problem = "can't be read";
  try {
    const text = Deno.readTextFileSync(path);
    problem = "has no certificate (PEM)";
    if (name !== "sslkey") new X509Certificate(text);
    return text;
  } catch {
    const advice = `${path}, which ${name} in DATABASE_URL names, ${problem}`;
    throw new DatabaseError("unusable", "", advice);
  }
}

const NOT_FOUND = "check that PostgreSQL is running and that DATABASE_URL points to it";
const MAKE_ROOM = "free space on PostgreSQL's disk";
const REPLICA = "PostgreSQL is read-only, like a replica; DATABASE_URL must point to a primary";
const TLS = "check that the sslmode in DATABASE_URL matches PostgreSQL's configuration";
const USER =
  "correct the user and password in DATABASE_URL, and check that pg_hba.conf allows them";

/** The driver's message if a pool had no connection in time. */
const POOL_IN_USE = /^timeout exceeded when trying to connect/;

/** Matched against PostgreSQL's or the connection's code, or else against the driver's message. */
const ERRORS: readonly (readonly [pattern: RegExp, kind: DatabaseErrorKind, advice: string])[] = [
  [
    /^53300$/,
    "noConnection",
    "raise max_connections of PostgreSQL, or run fewer programs against it",
  ],
  [/^53/, "full", MAKE_ROOM],
  [/^ENOSPC$/, "full", MAKE_ROOM],
  [/^25006$/, "readOnly", REPLICA],
  [/^(55P03|40P01|40001)$/, "locked", "another program holds a lock on its tables"],
  [/^57014$|^Query read timeout$/, "timeout", "check what PostgreSQL is busy with"],
  [/^28|^SASL/, "accessDenied", USER],
  [
    /^42501$/,
    "accessDenied",
    "the user in DATABASE_URL needs permission to create and use tables",
  ],
  [/^3D000$/, "unusable", "the database in DATABASE_URL does not exist; create it with createdb"],
  [/^(0A000|58P01)$/, "unusable", "install the extension pg_trgm, which comes with PostgreSQL"],
  [/^(XX|58)/, "damaged", "check PostgreSQL's log, and restore the database from a backup"],
  [/does not support SSL|CERT|certificate|LEAF_SIGNATURE/i, "unreachable", TLS],
  // Errors of the operating system. Those of Node itself begin with ERR_ and are bugs in Docket.
  [/^(08|57P)|^E(?!RR_)[A-Z_]+$/, "unreachable", NOT_FOUND],
  [/^Connection terminated|^Client (was|has)|timeout (exceeded|expired)/, "unreachable", NOT_FOUND],
];

function isPoolInUse(error: unknown): boolean {
  return error instanceof Error && POOL_IN_USE.test(error.message);
}

/** The error to throw instead. Of unexpected errors it has only the code: messages may quote values. */
export function toDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  for (const [pattern, kind, advice] of ERRORS) {
    if (pattern.test(code || error.message)) return new DatabaseError(kind, code, advice);
  }
  if (!(error instanceof pg.DatabaseError)) return error;
  const table = error.table ? ` on ${error.table}` : "";
  return new Error(`PostgreSQL rejected a query${table} with code ${code}`);
}
