import { type Migration, missingMigrations, type SchemaState } from "../schema/migrations.ts";
import { arraysOf, type Connections, inTransaction } from "./connection.ts";
import { POSTGRES } from "./postgres_schema.ts";

// Any number, as long as it is always the same.
const LOCK = 4_715_033_012;

type Connection = Parameters<typeof arraysOf>[0];

/** Brings a PostgreSQL database to the current schema. */
export async function migratePostgres(
  { lookups, working }: Connections,
  lockTimeoutMs: number,
  migrations?: readonly Migration[],
): Promise<void> {
  const missing = async (connection: Connection) =>
    missingMigrations(POSTGRES, await stateOf(connection), migrations);
  // Also of a database that can only be read: it may be up to date.
  if ((await missing(lookups)).length === 0) return;
  await inTransaction(working, async (client) => {
    // Held until the transaction ends: other instances then find everything done.
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
    // Searches queue behind a migration that waits for a table: so it waits briefly, and is tried
    // again later.
    await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    for (const script of await missing(client)) await client.query(script);
  });
}

async function stateOf(connection: Connection): Promise<SchemaState> {
  const read = (text: string) => arraysOf(connection, { text, values: [] });
  const names = await read(
    "SELECT tablename FROM pg_tables WHERE schemaname = ANY (current_schemas(false))",
  );
  const tables = new Set(names.map(([name]) => name));
  if (!tables.has("schema_migrations")) return { tables, applied: 0 };
  const [[applied]] = await read("SELECT count(*) FROM schema_migrations");
  return { tables, applied: applied as number };
}
