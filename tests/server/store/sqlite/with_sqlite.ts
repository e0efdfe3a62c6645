import { withFolder } from "../../../with_folder.ts";
import type { Database } from "../../../../server/store/database/database.ts";
import { openSqlite } from "../../../../server/store/database/sqlite.ts";

export const recordsKeys = () => ["a key of the tests"];
/** How long statements may wait: on a busy machine, none is refused. */
const UNHURRIED_MS = 600_000;

/** Does work with an empty database. */
export type WithDatabase = (work: (database: Database) => Promise<void>) => Promise<void>;

/** Does work with an empty database in memory. */
export async function withSqlite(work: (database: Database) => Promise<void>): Promise<void> {
  const database = await openSqlite({ path: ":memory:", recordsKeys, deadlineMs: UNHURRIED_MS });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

/** Does work with the path of a database that is not there yet, and is gone afterwards. */
export function inFolder(work: (path: string) => Promise<void>): Promise<void> {
  return withFolder((folder) => work(`${folder}/docket.sqlite`));
}
