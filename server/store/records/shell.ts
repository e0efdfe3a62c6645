import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { CONTENTS } from "../schema/schema.ts";
import { IS_OPEN } from "./incidents.ts";
import type { StoredStatuses } from "./statuses.ts";

/** What every page needs besides its own content. */
interface ShellFacts {
  /** How many incidents are open that are more than information. */
  readonly open: number;
  /** 1 if all that the embedded service has is its sample, otherwise 0. */
  readonly sample: number;
  /** 1 if the page is about a schedule that is watched, otherwise 0. */
  readonly watched: number;
  readonly meanings: StoredStatuses;
}

/** Reads all in one statement, because each is a message to a thread. */
export async function readShell(
  database: Database,
  scheduleId: number | null,
): Promise<ShellFacts> {
  const [facts] = await database.read<ShellFacts>(
    sql`SELECT meanings,
      (SELECT count(*) FROM incidents WHERE ${IS_OPEN} AND severity <> 'info') AS open,
      (SELECT count(*) FROM metadata WHERE name = ${CONTENTS} AND value = 'sample')
        AS sample,
      (SELECT count(*) FROM watches WHERE schedule_id = ${scheduleId}) AS watched
    FROM status_meanings`,
  );
  return facts;
}
