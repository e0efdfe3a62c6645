import { POSTGRESQL } from "../schema/dialect.ts";
import { type Migration, missingMigrations, type SchemaState } from "../schema/schema.ts";
import { arraysOf, type Connections, inTransaction } from "./connection.ts";

/** Any number, as long as it never changes. */
const LOCK = 4_715_033_012;

type Connection = Parameters<typeof arraysOf>[0];

export async function migratePostgres(
  { lookups, longWrites }: Connections,
  lockTimeoutMs: number,
  migrations?: readonly Migration[],
): Promise<void> {
  const missing = async (connection: Connection) =>
    missingMigrations(POSTGRESQL, await stateOf(connection), migrations);
  // Checked without a lock, because a read-only database may be up to date.
  if ((await inTransaction(lookups, missing)).length === 0) return;
  await inTransaction(longWrites, async (client) => {
    // Held until the transaction ends; other instances then find nothing missing.
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
    // Short, because searches queue behind a migration that waits for a table.
    await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    for (const script of await missing(client)) await client.query(script);
  });
}

async function stateOf(connection: Connection): Promise<SchemaState> {
  const read = (text: string) => arraysOf(connection, { text, values: [] });
  // Without the tables of extensions: a new database may have some, such as those of PostGIS.
  const names = await read(
    "SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace " +
      "WHERE relkind IN ('r', 'p') AND nspname = ANY (current_schemas(false)) AND NOT EXISTS " +
      "(SELECT 1 FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid " +
      "AND deptype = 'e')",
  );
  const tables = new Set(names.map(([name]) => name));
  if (!tables.has("schema_migrations")) return { tables, applied: [] };
  const rows = await read("SELECT * FROM schema_migrations ORDER BY 1");
  return { tables, applied: rows.map(([, digest]) => digest) };
}
