/** Writing to PostgreSQL. */

// @ts-types="@types/pg"
import type pg from "pg";
import type { Batches, EngineChanges, TransactionStep, Written } from "../engine.ts";
import { FIELDS } from "../fields.ts";
import { CLEARED_TABLES } from "../schema/cleared_tables.ts";
import { FILE_SET_COLUMNS, fileSetValues, type SqlRow } from "../stored_rows.ts";
import { arraysOf, inTransaction } from "./connection.ts";

export async function put(pool: pg.Pool, changes: EngineChanges): Promise<Written> {
  const { fileSets = [], schedules = [], versions } = changes;
  return await inTransaction(pool, async (client) => {
    const sets = await upsert(client, FILE_SETS, fileSets.map(fileSetValues));
    if (schedules.length > 0) {
      await client.query(
        "INSERT INTO schedules SELECT unnest($1::bigint[]) ON CONFLICT DO NOTHING",
        [schedules],
      );
    }
    if (versions) {
      // One writer of a schedule at a time: two could each add a version.
      const lock = "SELECT id FROM schedules WHERE id = ANY ($1) ORDER BY id FOR UPDATE";
      await client.query(lock, [schedules]);
    }
    const entries = versions?.written(await rowsOf(client, versions.steps)) ??
      { added: 0, changed: 0 };
    for (const [name, value] of Object.entries(changes.notes ?? {})) {
      await client.query("DELETE FROM notes WHERE name = $1", [name]);
      if (value !== null) await client.query("INSERT INTO notes VALUES ($1, $2)", [name, value]);
    }
    return { added: sets.added + entries.added, changed: sets.changed + entries.changed };
  });
}

/** Puts batch after batch, and vacuums after many new rows. */
export async function load(
  pool: pg.Pool,
  batches: Batches<EngineChanges>,
  onWritten: (written: Written) => void = () => {},
): Promise<void> {
  let added = 0;
  for await (const batch of batches) {
    const written = await put(pool, batch);
    added += written.added;
    onWritten(written);
  }
  // Otherwise, pages would not be read from an index alone until the server's own vacuum.
  if (added >= 10_000) await run(pool, "VACUUM (ANALYZE) file_sets, run_versions");
}

export async function clear(pool: pg.Pool): Promise<void> {
  await run(pool, `TRUNCATE ${CLEARED_TABLES.join(", ")}`);
}

/** Thrown within a transaction to roll it back. */
const UNDO = new Error("A required statement returned no row");

/** Runs statements in one transaction; null, and nothing done, if a required one gave no row. */
export async function transact(
  pool: pg.Pool,
  steps: readonly TransactionStep[],
): Promise<SqlRow[][] | null> {
  try {
    return await inTransaction(pool, (client) => rowsOf(client, steps));
  } catch (error) {
    if (error === UNDO) return null;
    throw error;
  }
}

async function rowsOf(
  client: pg.PoolClient,
  steps: readonly TransactionStep[],
): Promise<SqlRow[][]> {
  const results: SqlRow[][] = [];
  for (const step of steps) {
    const rows = await arraysOf(client, step);
    if (step.required && rows.length === 0) throw UNDO;
    results.push(rows);
  }
  return results;
}

async function run(pool: pg.Pool, text: string): Promise<void> {
  await arraysOf(pool, { text, values: [] });
}

interface Target {
  readonly table: string;
  /** The columns with their types, the key first. */
  readonly columns: readonly (readonly [name: string, type: string])[];
  readonly keys: number;
}

const TEXTS = new Set([
  "json",
  ...FIELDS.filter(({ kind }) => kind === "string").flatMap(({ column, folded = column }) => [
    column,
    folded,
  ]),
]);

const FILE_SETS: Target = { table: "file_sets", columns: FILE_SET_COLUMNS.map(typed), keys: 1 };

function typed(name: string): readonly [name: string, type: string] {
  return [name, TEXTS.has(name) ? "text" : "bigint"];
}

/** Puts all rows by one statement, sent as one JSON text. */
async function upsert(
  client: pg.PoolClient,
  { table, columns, keys }: Target,
  rows: readonly (readonly unknown[])[],
): Promise<Written> {
  if (rows.length === 0) return { added: 0, changed: 0 };
  const names = columns.map(([name]) => name);
  const rest = names.slice(keys);
  const read = columns.map(([name, type], at) => `(value ->> ${at})::${type} AS ${name}`);
  const result = await client.query(
    `INSERT INTO ${table} (${names.join(", ")}) ` +
      `SELECT ${read.join(", ")} FROM json_array_elements($1::json) ` +
      `ON CONFLICT (${names.slice(0, keys).join(", ")}) DO UPDATE SET ` +
      rest.map((name) => `${name} = excluded.${name}`).join(", ") +
      ` WHERE (${rest.map((name) => `${table}.${name}`).join(", ")}) IS DISTINCT FROM ` +
      `(${rest.map((name) => `excluded.${name}`).join(", ")}) ` +
      // A row that was just inserted has not been changed by any transaction.
      "RETURNING xmax = 0 AS added",
    [JSON.stringify(rows)],
  );
  const added = result.rows.filter((row) => row.added).length;
  return { added, changed: result.rows.length - added };
}
