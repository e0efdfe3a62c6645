/** Tables as the schema defines them: the same columns on both databases. */
import { join, name, perSystem, type Sql, sql } from "../database/sql.ts";

const INTEGER = perSystem({ sqlite: sql`INTEGER`, postgresql: sql`bigint` });

/** The type of a text, which is sorted by code points. */
const TEXT = perSystem({ sqlite: sql`TEXT`, postgresql: sql`text COLLATE "C"` });

/** Reads the names of all tables. A new PostgreSQL may have some of extensions, such as PostGIS. */
export const TABLE_NAMES = perSystem({
  sqlite: sql`SELECT name FROM sqlite_schema WHERE type = 'table'`,
  postgresql: sql`SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE relkind IN ('r', 'p') AND nspname = ANY (current_schemas(false)) AND NOT EXISTS
      (SELECT 1 FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid
        AND deptype = 'e')`,
});

const IDENTITY = perSystem({
  sqlite: sql`INTEGER PRIMARY KEY AUTOINCREMENT`,
  postgresql: sql`bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY`,
});

/** Names of columns with blanks between them; what may be missing ends with a question mark. */
type Names = string;

export interface Table {
  readonly name: string;
  /** The column of a key that increases, which no later row gets again. */
  readonly identity?: string;
  /** The columns of any other key, which are among the following. */
  readonly key?: Names;
  readonly integers?: Names;
  readonly texts?: Names;
  /** What is stored as JSON: rows have the value that it stands for. */
  readonly json?: Names;
  /** What is stored as 1 or 0: rows have true or false. */
  readonly booleans?: Names;
  /** Columns in which each value stands once. */
  readonly unique?: Names;
  /** Whether SQLite stores it in the order of its key. */
  readonly isClustered?: boolean;
  /** Its indexes, views and first rows. */
  readonly afterwards?: Sql;
}

const split = (names: Names = "") => names.split(" ").filter((each) => each !== "");

/** The names, without question marks. */
export function namesIn(names?: Names): readonly string[] {
  return split(names).map((each) => each.replace("?", ""));
}

export function createTable({ name: table, identity, isClustered, ...columns }: Table): Sql {
  const { key = "", integers, texts, json, booleans, unique, afterwards = sql`` } = columns;
  const typed = (names: Names | undefined, type: Sql) =>
    split(names).map((each) => {
      const mayLack = each.endsWith("?") ? sql`` : sql` NOT NULL`;
      return sql`${name(each.replace("?", ""))} ${type}${mayLack}`;
    });
  const constraint = (kind: Sql, columns: readonly string[]) =>
    sql`${kind} (${join(columns.map(name), ", ")})`;
  const parts = [
    ...identity ? [sql`${name(identity)} ${IDENTITY}`] : [],
    ...typed(integers, INTEGER),
    ...typed(texts, TEXT),
    ...typed(json, TEXT),
    ...typed(booleans, INTEGER),
    ...key ? [constraint(sql`PRIMARY KEY`, namesIn(key))] : [],
    ...namesIn(unique).map((column) => constraint(sql`UNIQUE`, [column])),
  ];
  const options = perSystem({
    sqlite: isClustered ? sql`STRICT, WITHOUT ROWID` : sql`STRICT`,
    postgresql: sql``,
  });
  return sql`CREATE TABLE ${name(table)} (${join(parts, ", ")}) ${options};\n${afterwards}`;
}
