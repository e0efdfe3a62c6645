/** Tests on both databases. */
import type { Database } from "../../../server/store/database/database.ts";
import { openPostgresql } from "../../../server/store/database/postgresql.ts";
import { openSqlite } from "../../../server/store/database/sqlite.ts";
import { server } from "./postgres/shared.ts";

const recordsKeys = () => ["a key of the tests"];

const SYSTEMS = {
  SQLite: () => openSqlite({ path: ":memory:", recordsKeys }),
  PostgreSQL: async () =>
    await openPostgresql({ url: await server.createSchemaDatabase(), recordsKeys }),
};

/** Does the work with a new database of each system. */
export function testOnBoth(name: string, work: (database: Database) => Promise<void>): void {
  for (const [system, open] of Object.entries(SYSTEMS)) {
    Deno.test(`${name} (${system})`, async () => {
      const database = await open();
      try {
        await work(database);
      } finally {
        await database.close();
      }
    });
  }
}
