/** Tests on both databases. */
import type { ReportRun } from "../../../lib/types.ts";
import type { ChangedRows } from "../../../server/store/file_sets/write.ts";
import type { Database } from "../../../server/store/database/database.ts";
import {
  type ObserverRecords,
  observerRecordsOn,
} from "../../../server/store/records/observer_records.ts";
import { openPostgresql } from "../../../server/store/database/postgresql.ts";
import { storeRuns } from "../../../server/store/runs/store_runs.ts";
import { server } from "./postgres/shared.ts";
import { recordsKeys, type WithDatabase, withSqlite } from "./sqlite/with_sqlite.ts";

/** Does work with a new database of each system. */
export const SYSTEMS: Readonly<Record<string, WithDatabase>> = {
  SQLite: withSqlite,
  async PostgreSQL(work) {
    const url = await server.createSchemaDatabase();
    const database = await openPostgresql({ url, recordsKeys });
    try {
      await work(database);
    } finally {
      await database.close();
    }
  },
};

/** Makes a test for each system, with a new database. */
export function testOnBoth(name: string, work: (database: Database) => Promise<void>): void {
  for (const [system, withDatabase] of Object.entries(SYSTEMS)) {
    Deno.test(`${name} (${system})`, () => withDatabase(work));
  }
}

export interface TestRecords extends ObserverRecords {
  readonly database: Database;
  /** Stores runs of a schedule as if they were read at the first moment of 1970. */
  read(scheduleId: number, ...runs: readonly ReportRun[]): Promise<ChangedRows>;
}

/** Makes a test for each system, with the records on a new database. */
export function testRecords(name: string, work: (records: TestRecords) => Promise<void>): void {
  testOnBoth(name, (database) =>
    work({
      ...observerRecordsOn(database),
      database,
      read: (scheduleId, ...runs) =>
        database.transaction((transaction) =>
          storeRuns(transaction, runs.map((run) => ({ scheduleId, run })), 0)
        ),
    }));
}
