/** A version for each topic of the data, by which answers that are cached stay true. */
import type { Transaction } from "./database/database.ts";
import { sql, upsert } from "./database/sql.ts";

type Topic = "runs" | "file_sets";

/** Gives a topic a new version; until the transaction ends, no other one can. */
export async function markChanged(transaction: Transaction, topic: Topic): Promise<void> {
  const version = crypto.randomUUID();
  await transaction.write(upsert("data_versions", [{ topic, version }], ["topic"]));
}

/** Changes whenever the topic does, also through another process; empty before the first time. */
export async function readVersion(
  { read }: Pick<Transaction, "read">,
  topic: Topic,
): Promise<string> {
  const rows = await read<{ version: string }>(
    sql`SELECT version FROM data_versions WHERE topic = ${topic}`,
  );
  return rows[0]?.version ?? "";
}
