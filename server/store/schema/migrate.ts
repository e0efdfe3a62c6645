/** Brings the schema of a database up to date, and refuses one that this version does not know. */
import { createHash } from "node:crypto";
import { DatabaseError, type Driver, type Run } from "../database/database.ts";
import { compile, type Sql, type System } from "../database/sql.ts";
import { MIGRATIONS } from "./schema.ts";
import { createTable, TABLE_NAMES } from "./tables.ts";

/** Runs the missing migrations in one transaction, of which `begin` runs first. */
export async function migrate(
  system: System,
  { read, transaction }: Pick<Driver, "transaction"> & { readonly read: Run },
  { begin = [], create = true, migrations = MIGRATIONS }: {
    readonly begin?: readonly string[];
    /** Whether to fill an empty database. */
    readonly create?: boolean;
    readonly migrations?: readonly Sql[];
  } = {},
): Promise<void> {
  const missing = async (run: Run) =>
    missingMigrations(system, await readState(run, system), migrations);
  // Reads alone at first: a read-only database may be up to date, and a foreign one stays as it is.
  const scripts = await missing(read);
  if (scripts.length === 0) return;
  if (!create && scripts.length === migrations.length) {
    throw new DatabaseError("missing", "", "it is empty; restart Docket to fill it");
  }
  await transaction(async (run) => {
    for (const text of begin) await run({ text });
    for (const text of await missing(run)) await run({ text });
  });
}

/** The names of the tables, and the digests of the scripts that were run, in their order. */
async function readState(run: Run, system: System) {
  const { rows } = await run(compile(TABLE_NAMES, system));
  const tables = new Set(rows.map(([name]) => name));
  if (!tables.has("schema_migrations")) return { tables, applied: [] };
  const text = "SELECT * FROM schema_migrations ORDER BY 1";
  const applied = await run({ text, values: [] });
  return { tables, applied: applied.rows.map(([, digest]) => digest) };
}

const FOREIGN = "it has tables of another application; give Docket a database of its own";
const NEWER = "it is of a newer version of Docket; start that version, or restore an older backup";
const OTHER =
  "it was made by an unreleased version of Docket; export its data with that version, " +
  "start with a new database, and import the data there";

const OWN_TABLE = createTable({
  name: "schema_migrations",
  key: "number",
  integers: "number",
  texts: "digest",
});

/** The scripts to run. @throws {DatabaseError} If this version does not know the schema. */
function missingMigrations(
  system: System,
  { tables, applied }: Awaited<ReturnType<typeof readState>>,
  migrations: readonly Sql[],
): readonly string[] {
  const scripts = migrations.map((migration) => compile(migration, system).text);
  const digests = scripts.map((script) => createHash("sha256").update(script).digest("hex"));
  const isOurs = applied.length > 0 &&
    applied.every((digest, at) => at >= digests.length || digest === digests[at]);
  const isNewer = isOurs && applied.length > digests.length;
  if (tables.size > 0 && (!isOurs || isNewer)) {
    const known = isNewer ? NEWER : OTHER;
    throw new DatabaseError("unusable", "", tables.has("file_sets") ? known : FOREIGN);
  }
  return scripts.map((script, at) =>
    `${at === 0 ? compile(OWN_TABLE, system).text : ""}\n${script};\n` +
    `INSERT INTO schema_migrations VALUES (${at + 1}, '${digests[at]}');`
  ).slice(applied.length);
}
