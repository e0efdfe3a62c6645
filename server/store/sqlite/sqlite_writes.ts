/** Writing to SQLite. */
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import type { EngineChanges, TransactionStep, Written } from "../engine.ts";
import { FILE_SET_COLUMNS, fileSetValues, type SqlRow } from "../stored_rows.ts";
import type { Value } from "../search/plan.ts";
import { NO_START } from "../ledger/run_parts.ts";
import { CLEARED_TABLES } from "../schema/cleared_tables.ts";
import type { Statements } from "./statements.ts";
import { placeholders } from "../sql.ts";

const NO_VERSIONS = { steps: [], written: () => ({ added: 0, changed: 0 }) };

export function put(db: DatabaseSync, statements: Statements, changes: EngineChanges): Written {
  return transaction(db, () => {
    const fileSets = putFileSets(statements, changes);
    const addSchedule = statements.prepare(
      "INSERT INTO schedules (id) VALUES (?) ON CONFLICT DO NOTHING",
    );
    for (const id of changes.schedules ?? []) addSchedule.run(id);
    const { steps, written } = changes.versions ?? NO_VERSIONS;
    const runs = written(steps.map((step) => statements.read(step)));
    for (const [name, value] of Object.entries(changes.notes ?? {})) {
      const note = value === null
        ? statements.prepare("DELETE FROM notes WHERE name = ?")
        : statements.prepare("INSERT OR REPLACE INTO notes (name, value) VALUES (?, ?)");
      note.run(...(value === null ? [name] : [name, value]));
    }
    return {
      added: fileSets.added + runs.added,
      changed: fileSets.changed + runs.changed,
    };
  });
}

export function clear(db: DatabaseSync): void {
  transaction(db, () =>
    db.exec(`
      ${CLEARED_TABLES.map((table) => `DELETE FROM ${table};`).join("\n      ")}
      INSERT INTO file_set_pieces (file_set_pieces) VALUES ('delete-all');
    `));
}

const PIECES = "name_folded, description_folded, owner_folded, permission_folded";

function putFileSets(statements: Statements, { fileSets = [] }: EngineChanges): Written {
  if (fileSets.length === 0) return { added: 0, changed: 0 };
  const last = statements.lastKey();
  const { counted, put } = upsert(statements, "file_sets", FILE_SET_COLUMNS, 1);
  for (const fileSet of fileSets) put(fileSetValues(fileSet));
  // The trigrams follow in two statements for all rows: one for each row, as with triggers, is slow.
  const changed = JSON.stringify(counted.changed);
  statements.prepare("DELETE FROM file_set_pieces WHERE rowid IN (SELECT value FROM json_each(?))")
    .run(changed);
  statements.prepare(
    `INSERT INTO file_set_pieces (rowid, ${PIECES}) SELECT key, ${PIECES} FROM file_sets ` +
      `WHERE key > ? OR key IN (SELECT value FROM json_each(?) WHERE value <= ?)`,
  ).run(last, changed, last);
  return { added: counted.added, changed: counted.changed.length };
}

export function transaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/** Runs removed at once, in a few milliseconds. */
const REMOVED_AT_ONCE = 500;

/** Removes runs that started before a time in small batches; other work runs in between. */
export async function removeRunsBefore(statements: Statements, time: number): Promise<void> {
  const remove = statements.prepare(
    "DELETE FROM run_versions WHERE rowid IN (SELECT rowid FROM run_versions WHERE rowid > ? " +
      "AND rowid <= ? AND start_time < ? AND start_time <> ?)",
  );
  const [[last]] = statements.read({
    text: "SELECT coalesce(max(rowid), 0) FROM run_versions",
    values: [],
  }) as [[number]];
  for (let from = 0; from < last; from += REMOVED_AT_ONCE) {
    remove.run(from, from + REMOVED_AT_ONCE, time, NO_START);
    await turn();
  }
}

/** Thrown within a transaction to undo it. */
const UNDO = new Error("A required statement returned no row");

/** Runs statements in one transaction; null, and nothing done, if a required one returned no row. */
export function transact(
  db: DatabaseSync,
  statements: Statements,
  steps: readonly TransactionStep[],
): SqlRow[][] | null {
  try {
    return transaction(db, () =>
      steps.map(({ text, values, required }) => {
        // SQLite has one writer at a time, so no row is locked by others.
        const rows = statements.read({ text: text.replace(" FOR UPDATE SKIP LOCKED", ""), values });
        if (required && rows.length === 0) throw UNDO;
        return rows;
      }));
  } catch (error) {
    if (error === UNDO) return null;
    throw error;
  }
}

/** Puts rows one by one; the first `keys` columns say which row it is. */
function upsert(statements: Statements, table: string, columns: readonly string[], keys: number) {
  const isKey = columns.slice(0, keys).map((column) => `${column} = ?`).join(" AND ");
  const rest = columns.slice(keys);
  const insert = statements.prepare(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${placeholders(columns)}) ` +
      `ON CONFLICT (${columns.slice(0, keys).join(", ")}) DO NOTHING`,
  );
  const update = statements.prepare(
    `UPDATE ${table} SET ${rest.map((column) => `${column} = ?`).join(", ")} WHERE ${isKey} ` +
      `AND (${rest.join(", ")}) IS NOT (${placeholders(rest)}) RETURNING rowid AS key`,
  );
  const counted = { added: 0, changed: [] as number[] };
  return {
    counted,
    put(values: readonly (Value | null)[]): void {
      if (insert.run(...values).changes === 1) {
        counted.added++;
        return;
      }
      const others = values.slice(keys);
      const changed = update.get(...others, ...values.slice(0, keys), ...others);
      if (changed) counted.changed.push(changed.key as number);
    },
  };
}
