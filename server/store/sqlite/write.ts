/**
 * Writing to SQLite.
 *
 * @module
 */

import type { DatabaseSync } from "node:sqlite";
import type { Changes, Written } from "../engine.ts";
import { FILE_SET_WRITE_COLUMNS, fileSetValues, RUN_COLUMNS, runValues } from "../records.ts";
import type { Statements } from "./statements.ts";

/** Puts rows in one transaction. */
export function put(db: DatabaseSync, statements: Statements, changes: Changes): Written {
  return transaction(db, () => {
    const fileSets = upsert(statements, "file_sets", FILE_SET_WRITE_COLUMNS, 1);
    for (const fileSet of changes.fileSets ?? []) fileSets.put(fileSetValues(fileSet));
    const addSchedule = statements("INSERT INTO schedules (id) VALUES (?) ON CONFLICT DO NOTHING");
    for (const id of changes.schedules ?? []) addSchedule.run(id);
    const runs = upsert(statements, "runs", ["schedule_id", ...RUN_COLUMNS], 2);
    let lastSchedule: number | undefined;
    for (const { scheduleId, run } of changes.runs ?? []) {
      if (scheduleId !== lastSchedule) addSchedule.run(scheduleId);
      lastSchedule = scheduleId;
      runs.put([scheduleId, ...runValues(run)]);
    }
    return {
      added: fileSets.counted.added + runs.counted.added,
      changed: fileSets.counted.changed + runs.counted.changed,
    };
  });
}

/** Removes every row. */
export function clear(db: DatabaseSync): void {
  transaction(db, () => db.exec("DELETE FROM runs; DELETE FROM schedules; DELETE FROM file_sets"));
}

/** Does the work in one transaction, all or nothing. */
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

type Bound = string | number | boolean | null;

/** Puts rows one by one; the first `keys` columns say which row it is. */
function upsert(statements: Statements, table: string, columns: readonly string[], keys: number) {
  const isKey = columns.slice(0, keys).map((column) => `${column} = ?`).join(" AND ");
  const rest = columns.slice(keys);
  const insert = statements(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")}) ` +
      `ON CONFLICT (${columns.slice(0, keys).join(", ")}) DO NOTHING`,
  );
  const update = statements(
    `UPDATE ${table} SET ${rest.map((column) => `${column} = ?`).join(", ")} WHERE ${isKey} ` +
      `AND (${rest.join(", ")}) IS NOT (${rest.map(() => "?").join(", ")})`,
  );
  const counted = { added: 0, changed: 0 };
  return {
    counted,
    put(row: readonly Bound[]): void {
      const values = row.map((value) => typeof value === "boolean" ? Number(value) : value);
      if (insert.run(...values).changes === 1) {
        counted.added++;
        return;
      }
      const others = values.slice(keys);
      if (update.run(...others, ...values.slice(0, keys), ...others).changes === 1) {
        counted.changed++;
      }
    },
  };
}
