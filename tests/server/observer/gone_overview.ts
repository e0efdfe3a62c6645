import type { Engine } from "../../../server/store/engine.ts";
import { overviewOn } from "../../../server/store/records/overview.ts";

/** The overview of a database that is gone. */
export function goneOverview(): ReturnType<typeof overviewOn> {
  const rows = () => Promise.reject(new Error("The database is gone"));
  return overviewOn({ rows } as Partial<Engine> as Engine);
}
