import type { Database } from "../../../server/store/database/database.ts";
import { overviewOn } from "../../../server/store/records/overview.ts";

/** The overview of a database that is gone. */
export function goneOverview(): ReturnType<typeof overviewOn> {
  const read = () => Promise.reject(new Error("The database is gone"));
  return overviewOn({ read } as Partial<Database> as Database);
}
