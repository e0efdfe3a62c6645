import type { OpenEngine } from "../../../../server/store/engine.ts";
import { openSqlite } from "../../../../server/store/sqlite/open_sqlite.ts";

/** Does work with an empty database in memory. */
export async function withSqlite(work: (engine: OpenEngine) => Promise<void>): Promise<void> {
  const engine = await openSqlite({ path: ":memory:" });
  try {
    await work(engine);
  } finally {
    await engine.close();
  }
}
