/** What is known of schedules' histories as a whole: whether their receipts are counted. */
import type { Database, Transaction } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";
import { readValue } from "../records/transaction_step.ts";

type Topic = "runs" | "file_sets";

/** Gives a topic a new, random version. Until the transaction ends, no other one can. */
export async function markChanged(transaction: Transaction, topic: Topic): Promise<void> {
  await transaction.write(
    sql`UPDATE data_versions SET version = ${crypto.randomUUID()} WHERE topic = ${topic}`,
  );
}

/** Changes whenever the topic does, also through another process. */
export function readVersion(database: Pick<Transaction, "read">, topic: Topic): Promise<string> {
  return readValue(
    database,
    sql`SELECT version FROM data_versions WHERE topic = ${topic}`,
  );
}

/**
 * Marks runs as changed. It comes first in a transaction: only one at a time writes runs and people,
 * so that no two make two people of one.
 */
export async function lockRuns(transaction: Transaction): Promise<void> {
  await markChanged(transaction, "runs");
}

/** Lets these schedules be counted again in the background; `which` selects their ids. */
export async function markUncounted(transaction: Transaction, which: Sql): Promise<void> {
  await transaction.write(
    sql`UPDATE histories SET is_counted = 0 WHERE schedule_id IN (${which})`,
  );
}

export const RETAINED_SINCE = "runs retained since";

/** Since when runs are retained, in milliseconds since 1970; undefined if none was ever removed. */
export function retainedSince(database: Pick<Database, "read">): Promise<number | undefined> {
  return readValue(
    database,
    sql`SELECT CAST(value AS bigint) FROM metadata WHERE name = ${RETAINED_SINCE}`,
  );
}
