import { X509Certificate } from "node:crypto";
import { getCACertificates } from "node:tls";
// @ts-types="@types/pg"
import pg from "pg";
import type { QueryLimits } from "../engine.ts";
import type { Sql } from "../sql.ts";
import { abortable } from "@std/async/abortable";
import { DatabaseError } from "../database_error.ts";
import { isPoolInUse, toDatabaseError } from "./postgres_errors.ts";

export type Connections = ReturnType<typeof openConnections>;

export function openConnections(url: string, deadlineMs: number) {
  const address = addressOf(url);
  // For a transaction alone: a pooler such as PgBouncer gives the connection to others after it.
  const begin = [
    "BEGIN",
    `SET LOCAL statement_timeout = ${deadlineMs}`,
    `SET LOCAL lock_timeout = ${Math.ceil(deadlineMs / 3)}`,
    // The default suits rotating disks: it reads whole tables where an index is faster.
    "SET LOCAL random_page_cost = 1.1",
  ].join("; ");
  const openReadPool = (max: number) =>
    openPool({
      ...address,
      begin,
      // A transaction of one statement is then one round trip.
      pipeline: true,
      max,
      connectionTimeoutMillis: Math.ceil(deadlineMs / 3),
      // Later than PostgreSQL's own timeout, for a network that drops everything.
      query_timeout: Math.ceil(deadlineMs * 1.2),
    });
  const lookups = openReadPool(5);
  const searches = openReadPool(5);
  const longWrites = openPool({
    ...address,
    max: 2,
    connectionTimeoutMillis: Math.ceil(deadlineMs / 3),
    keepAlive: true,
  });
  return {
    /** For what takes milliseconds, such as looking up a row or a token. */
    lookups,
    /** Searches have their own pool, so that no lookup waits for a connection. */
    searches,
    longWrites,
    close: async (): Promise<void> => {
      await Promise.all([lookups, searches, longWrites].map((pool) => pool.end()));
    },
  };
}

/** The pool's options, and how its transactions begin. Default: `BEGIN`. */
type PoolOptions = pg.PoolConfig & { readonly begin?: string; readonly pipeline?: boolean };

function openPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...options,
    application_name: "docket",
    types: { getTypeParser: parserFor },
  });
  // Without a listener, a broken connection would end the program.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

const CERTIFICATES = ["sslcert", "sslkey", "sslrootcert"] as const;

/**
 * Where the database is, for the driver. Like libpq, and unlike the driver, it takes
 * `sslrootcert=system` for the system's certificates, and checks the host's name then.
 */
function addressOf(connectionString: string): pg.PoolConfig {
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

// Every bigint in the database is below 2^53: Docket accepts nothing larger.
const parserFor =
  ((oid: number, format: "text" | "binary") =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser;

type Result = pg.QueryArrayResult<unknown[]>;

/** Runs a statement that has `$1` and so on for its values. */
export async function query(
  connection: pg.Pool | pg.PoolClient,
  { text, values }: Sql,
): Promise<Result> {
  try {
    return await connection.query({ text, values: [...values], rowMode: "array" });
  } catch (error) {
    throw toDatabaseError(error);
  }
}

export async function arraysOf(
  connection: pg.Pool | pg.PoolClient,
  sql: Sql,
): Promise<unknown[][]> {
  return (await query(connection, numbered(sql))).rows;
}

/** The same statement with `$1` and so on instead of each `?`. */
export function numbered({ text, values }: Sql): Sql {
  let number = 0;
  return { text: text.replace(/\?/g, () => `$${++number}`), values };
}

/** Runs a search, which is cancelled at its deadline or when nobody waits for it any more. */
export async function search(
  pool: pg.Pool,
  { lookups }: Pick<Connections, "lookups">,
  sql: Sql,
  { signal, deadline }: QueryLimits,
): Promise<Result> {
  signal?.throwIfAborted();
  const client = await searchConnection(pool, signal);
  let isCancelled = false;
  const cancel = () => {
    isCancelled = true;
    const { processID } = client as { processID?: number };
    // If this fails, the statement ends at PostgreSQL's own timeout.
    lookups.query("SELECT pg_cancel_backend($1)", [processID]).catch(() => {});
  };
  signal?.addEventListener("abort", cancel);
  // PostgreSQL's limit is for each statement. A timer beyond 2^31 ms would fire at once.
  const timer = setTimeout(cancel, Math.min(deadline - performance.now(), 2 ** 31 - 1));
  try {
    return await queryInTransaction(pool, client, sql);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
    // A late cancellation must not hit the next statement: the connection is closed.
    client.release(isCancelled);
  }
}

async function searchConnection(
  pool: pg.Pool,
  signal: AbortSignal | undefined,
): Promise<pg.PoolClient> {
  const connecting = pool.connect();
  try {
    return await (signal ? abortable(connecting, signal) : connecting);
  } catch (error) {
    connecting.then((client) => client.release(), () => {});
    if (!isPoolInUse(error)) throw toDatabaseError(error);
    const advice = `all ${pool.options.max} connections for searches are in use`;
    throw new DatabaseError("busy", "", advice);
  }
}

/** Runs one statement in a transaction of its own. */
export async function queryAlone(pool: pg.Pool, sql: Sql): Promise<Result> {
  const client = await pool.connect().catch((error) => {
    throw toDatabaseError(error);
  });
  try {
    return await queryInTransaction(pool, client, sql);
  } finally {
    client.release();
  }
}

export async function rowsOf(pool: pg.Pool, sql: Sql): Promise<unknown[][]> {
  const client = await pool.connect().catch((error) => {
    throw toDatabaseError(error);
  });
  try {
    // VACUUM can't run in a transaction.
    if (sql.text.startsWith("VACUUM")) return await arraysOf(client, sql);
    return (await queryInTransaction(pool, client, numbered(sql))).rows;
  } finally {
    client.release();
  }
}

async function queryInTransaction(
  pool: pg.Pool,
  client: pg.PoolClient,
  sql: Sql,
): Promise<Result> {
  const beginning = client.query(beginOf(pool));
  const result = query(client, sql);
  // After an error, it ends the transaction as ROLLBACK would.
  const ended = client.query("COMMIT");
  const failed = (await Promise.allSettled([beginning, result, ended]))
    .find((result) => result.status === "rejected");
  if (failed) throw toDatabaseError(failed.reason);
  return await result;
}

function beginOf({ options }: pg.Pool): string {
  return (options as PoolOptions).begin ?? "BEGIN";
}

export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error) => {
    throw toDatabaseError(error);
  });
  try {
    await client.query(beginOf(pool));
    const result = await work(client);
    await client.query("COMMIT");
    client.release();
    return result;
  } catch (error) {
    // Closes the connection, which may be broken or read-only by now.
    client.release(true);
    throw toDatabaseError(error);
  }
}
