/**
 * Connections to PostgreSQL.
 *
 * @module
 */

// @ts-types="@types/pg"
import pg from "pg";
import { ProblemError } from "../../problem.ts";
import type { Sql } from "../sql.ts";

/** Opens a pool of connections; the first is made when it is needed. */
export function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 10_000,
    application_name: "docket",
    types: { getTypeParser: parserFor },
  });
  // An idle connection that breaks is replaced when one is needed again; unheard, it ends the program.
  pool.on("error", () => {});
  return pool;
}

// Every bigint of the schema is within 2^53: nothing else is let in.
const parserFor =
  ((oid: number, format: "text" | "binary") =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser;

/** The rows of a query as arrays. */
export async function arraysOf(
  connection: pg.Pool | pg.PoolClient,
  { text, values }: Sql,
): Promise<unknown[][]> {
  let number = 0;
  const numbered = text.replace(/\?/g, () => `$${++number}`);
  try {
    const query = { text: numbered, values: [...values], rowMode: "array" as const };
    return (await connection.query(query)).rows;
  } catch (error) {
    throw isLost(error)
      ? new ProblemError(503, "The database cannot be reached", { cause: error })
      : error;
  }
}

/** Does the work in one transaction, all or nothing. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    client.release();
    return result;
  } catch (error) {
    const undone = await client.query("ROLLBACK").then(() => true, () => false);
    // A connection that can't even undo is not used again.
    client.release(!undone);
    throw error;
  }
}

/** Whether an error is about the connection, rather than about what was asked. */
function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|08|57P0)/.test(code) ||
    /connection terminated|timeout exceeded when trying to connect/i.test(error.message);
}
