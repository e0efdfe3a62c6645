/** Tests on both databases. */
import type { Database } from "../../../server/store/database/database.ts";
import {
  type ObserverRecords,
  observerRecordsOn,
} from "../../../server/store/records/observer_records.ts";
import { openPostgresql } from "../../../server/store/database/postgresql.ts";
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

/** The records, with their database. */
export type TestRecords = ObserverRecords & { readonly database: Database };

/** Makes a test for each system, with the records on a new database. */
export function testRecords(name: string, work: (records: TestRecords) => Promise<void>): void {
  testOnBoth(name, (database) => work({ ...observerRecordsOn(database), database }));
}
