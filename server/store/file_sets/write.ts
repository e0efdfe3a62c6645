/** Writes file sets: what is searched, their JSON, and on SQLite the trigrams of their texts. */
import { markChanged } from "../runs/histories.ts";
import { foldCase } from "../../../lib/search/match_rows.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import type { FileSet } from "../../../lib/types.ts";
import type { Transaction } from "../database/database.ts";
import { ids, insert, join, perSystem, type Sql, sql } from "../database/sql.ts";
import { emptyTables } from "../records/transaction_step.ts";
import { FIELDS, ID, isOneOf, TRIGRAMS } from "./conditions.ts";

const ROWS_PER_STATEMENT = 500;

export interface ChangedRows {
  /** Rows that were not there before. */
  readonly added: number;
  /** Rows that were there with other values. */
  readonly changed: number;
}

interface StoredRow {
  readonly key: number;
  readonly id: string;
  readonly json: string;
}

/**
 * Puts file sets; one with the same id is replaced, and of several the last one is put. In every
 * transaction, runs come before file sets, so that no two wait for each other.
 */
export async function putFileSets(
  transaction: Transaction,
  fileSets: readonly FileSet[],
): Promise<ChangedRows> {
  const all = [...new Map(fileSets.map((fileSet) => [fileSet.id, fileSet])).values()];
  const written = { added: 0, changed: 0 };
  if (all.length > 0) await markChanged(transaction, "file_sets");
  for (let at = 0; at < all.length; at += ROWS_PER_STATEMENT) {
    const some = all.slice(at, at + ROWS_PER_STATEMENT)
      .map((fileSet) => ({ fileSet, json: JSON.stringify(fileSet) }));
    const stored = await transaction.read<StoredRow>(
      sql`SELECT key, id, json FROM file_sets JOIN file_set_json USING (key)
        WHERE ${isOneOf(ID, some.map(({ fileSet }) => fileSet.id))}`,
    );
    const before = new Map(stored.map((row) => [row.id, row]));
    const differing = some.filter(({ fileSet: { id }, json }) => before.get(id)?.json !== json);
    const replaced = differing.flatMap(({ fileSet: { id } }) => before.get(id)?.key ?? []);
    await removeFileSets(transaction, replaced);
    if (differing.length > 0) await addFileSets(transaction, differing);
    written.added += differing.length - replaced.length;
    written.changed += replaced.length;
  }
  return written;
}

/** Removes every file set. */
export async function clearFileSets(transaction: Transaction): Promise<void> {
  await markChanged(transaction, "file_sets");
  await emptyTables(transaction, ["file_sets", "file_set_json"]);
  await transaction.write(
    onSqlite(sql`INSERT INTO file_set_trigrams (file_set_trigrams) VALUES ('delete-all')`),
  );
}

/** A statement on the trigrams, which PostgreSQL has in an index of the table. */
function onSqlite(statement: Sql): Sql {
  return perSystem({ sqlite: statement, postgresql: sql`SELECT 1` });
}

/** The values of a row's columns. */
function toColumns(fileSet: FileSet): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const { name, column, kind, folded } of FIELDS) {
    const value = fileSet[name] ?? null;
    values[column] = kind === "date-time" ? timeOf(value as string) ?? null : value;
    if (folded !== null) values[folded] = value === null ? null : foldCase(String(value));
  }
  return values;
}

async function addFileSets(
  transaction: Transaction,
  rows: readonly { readonly fileSet: FileSet; readonly json: string }[],
): Promise<void> {
  const columns = rows.map(({ fileSet }) => toColumns(fileSet));
  const { rows: added } = await transaction.write<{ key: number; id: string }>(
    sql`${insert("file_sets", columns)} RETURNING key, id`,
  );
  const keys = new Map(added.map(({ key, id }) => [id, key]));
  const texts = rows.map(({ fileSet: { id }, json }) => ({ key: keys.get(id), json }));
  await transaction.write(insert("file_set_json", texts));
  const searched = join(TRIGRAMS, ", ");
  await transaction.write(onSqlite(
    sql`INSERT INTO file_set_trigrams (rowid, ${searched})
      SELECT key, ${searched} FROM file_sets WHERE key IN ${ids([...keys.values()])}`,
  ));
}

export async function removeFileSets(
  transaction: Transaction,
  keys: readonly number[],
): Promise<void> {
  await transaction.write(
    onSqlite(sql`DELETE FROM file_set_trigrams WHERE rowid IN ${ids(keys)}`),
  );
  await transaction.write(sql`DELETE FROM file_set_json WHERE key IN ${ids(keys)}`);
  await transaction.write(sql`DELETE FROM file_sets WHERE key IN ${ids(keys)}`);
}
