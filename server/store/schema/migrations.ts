/** The migrations of the schema, the same for both engines. */
import { newerSchemaError, unreleasedSchemaError } from "../database_error.ts";
import type { Dialect } from "./dialect.ts";
import { firstSchema } from "./first_schema.ts";

export type Migration = (dialect: Dialect) => string;

/**
 * Applied in this order, each once. A released migration never changes: later changes of the schema
 * are added at the end.
 */
const MIGRATIONS: readonly Migration[] = [firstSchema];

/** What a database says of its schema. */
export interface SchemaState {
  /** The names of all tables. */
  readonly tables: ReadonlySet<unknown>;
  /** How many migrations were applied. */
  readonly applied: number;
}

/**
 * The scripts that bring a database to the current schema. They are asked for once without a lock,
 * and again in the transaction that executes them: another process may have been quicker.
 *
 * @throws {DatabaseError} if this version of Docket does not know the schema
 */
export function missingMigrations(
  dialect: Dialect,
  { tables, applied }: SchemaState,
  migrations: readonly Migration[] = MIGRATIONS,
): readonly string[] {
  if (applied > migrations.length) throw newerSchemaError(applied, migrations.length);
  if (applied === 0 && tables.has("file_sets")) throw unreleasedSchemaError();
  return migrations.slice(applied).map((migration, at) =>
    `CREATE TABLE IF NOT EXISTS schema_migrations ` +
    `(number ${dialect.integer} PRIMARY KEY)${dialect.options};\n` +
    `${migration(dialect)};\nINSERT INTO schema_migrations VALUES (${applied + at + 1});`
  );
}
