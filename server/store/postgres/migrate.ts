/** Brings a PostgreSQL database to the current schema. */
import { newerSchemaError } from "../database_error.ts";
import { arraysOf, type Connections, inTransaction } from "./connection.ts";
import { MIGRATIONS } from "./migrations.ts";

// Any number, as long as it is always the same.
const LOCK = 4_715_033_012;

/** Runs the steps that are missing, once, also when several instances start together. */
export async function migrate(
  { lookups, working }: Connections,
  lockTimeoutMs: number,
): Promise<void> {
  // Asked first without a lock, in a way that also works on a read-only database.
  const [[present]] = await rowsOf(lookups, "SELECT to_regclass('schema_steps') IS NOT NULL");
  if (present && stepsDone(await rowsOf(lookups, COUNT)) === MIGRATIONS.length) return;
  await inTransaction(working, async (client) => {
    // Held until the transaction ends: a second instance then finds everything done.
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
    // Searches queue up behind a step that waits for a table: so it waits briefly, and again later.
    await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await client.query("CREATE TABLE IF NOT EXISTS schema_steps (step integer PRIMARY KEY)");
    for (let step = stepsDone(await rowsOf(client, COUNT)); step < MIGRATIONS.length; step++) {
      await client.query(MIGRATIONS[step]);
      await client.query("INSERT INTO schema_steps VALUES ($1)", [step + 1]);
    }
  });
}

const COUNT = "SELECT count(*)::integer FROM schema_steps";

type Connection = Parameters<typeof arraysOf>[0];

function rowsOf(connection: Connection, text: string): Promise<unknown[][]> {
  return arraysOf(connection, { text, values: [] });
}

/** How many steps were done, when none of them is unknown. */
function stepsDone([[count]]: unknown[][]): number {
  const done = count as number;
  if (done <= MIGRATIONS.length) return done;
  throw newerSchemaError(done, MIGRATIONS.length);
}
