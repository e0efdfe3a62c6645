/** What is known of schedules' histories as a whole: whether their receipts are counted. */
import type { Database, Transaction } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";

/**
 * Gives the runs a new, random version. It comes first in a transaction: only one at a time writes
 * runs and people, so that no two make two people of one.
 */
export async function lockRuns(transaction: Transaction): Promise<void> {
  await transaction.write(sql`UPDATE runs_version SET version = ${crypto.randomUUID()}`);
}

/** Lets these schedules be counted again in the background; `which` selects their ids. */
export async function markUncounted(transaction: Transaction, which: Sql): Promise<void> {
  await transaction.write(
    sql`UPDATE histories SET is_counted = 0 WHERE schedule_id IN (${which})`,
  );
}

export const RETAINED_SINCE = "runs retained since";

/** Since when runs are retained, in milliseconds since 1970; undefined if none was ever removed. */
export async function retainedSince(
  { read }: Pick<Database | Transaction, "read">,
): Promise<number | undefined> {
  const [row] = await read<{ value: string }>(
    sql`SELECT value FROM metadata WHERE name = ${RETAINED_SINCE}`,
  );
  return row && Number(row.value);
}
