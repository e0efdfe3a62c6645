/** Tests on both databases. */
import type { Engine } from "../../../server/store/engine.ts";
import { openPostgres } from "../../../server/store/postgres/open_postgres.ts";
import { openSqlite } from "../../../server/store/sqlite/open_sqlite.ts";
import { server } from "./postgres/shared.ts";

const SYSTEMS = {
  SQLite: () => openSqlite({ path: ":memory:" }),
  PostgreSQL: async () => await openPostgres({ url: await server.createSchemaDatabase() }),
};

/** Does the work with a new database of each system. */
export function testOnBoth(name: string, work: (engine: Engine) => Promise<void>): void {
  for (const [system, open] of Object.entries(SYSTEMS)) {
    Deno.test(`${name} (${system})`, async () => {
      const engine = await open();
      try {
        await work(engine);
      } finally {
        await engine.close();
      }
    });
  }
}
