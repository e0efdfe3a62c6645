/**
 * SQL, written once for both databases.
 *
 * Pieces are put in place, and every other value is bound. No text of SQL is ever edited: where the
 * databases differ, a piece has a text for each ({@linkcode perSystem}).
 */

export type System = "sqlite" | "postgresql";

/** What a column holds. Times are milliseconds since 1970, and whether something is so is 0 or 1. */
type Value = string | number | null;

type Part =
  | { readonly text: string }
  | { readonly value: Value }
  | { readonly perSystem: Readonly<Record<System, Sql>> };

/** A piece of SQL. It never changes. */
export class Sql {
  constructor(readonly parts: readonly Part[]) {}
}

/**
 * A piece of SQL from a template.
 *
 * @example
 * ```ts
 * sql`SELECT id, name FROM owners WHERE key = ${key} ${when(isActive, sql`AND removed IS NULL`)}`
 * ```
 */
export function sql(texts: TemplateStringsArray, ...pieces: readonly (Sql | Value)[]): Sql {
  return new Sql(texts.flatMap((text, at): readonly Part[] => {
    if (at === pieces.length) return [{ text }];
    const piece = pieces[at];
    return [{ text }, ...piece instanceof Sql ? piece.parts : [{ value: storable(piece) }]];
  }));
}

/** A value without what texts of databases can't hold: NUL and halves of characters. */
function storable(value: Value): Value {
  return typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : value;
}

const NOTHING = sql``;

/** The piece if the condition holds, otherwise nothing. */
export function when(condition: boolean, piece: Sql): Sql {
  return condition ? piece : NOTHING;
}

/** A piece that each database writes in its own way. */
export function perSystem(pieces: Readonly<Record<System, Sql>>): Sql {
  return new Sql([{ perSystem: pieces }]);
}

/** The name of a column or a table, which comes from a list of the program's own. */
export function name(text: string): Sql {
  if (!/^[a-z_][a-z0-9_.]*$/.test(text)) throw new TypeError(`${text} is no name of a column`);
  return new Sql([{ text }]);
}

export function join(pieces: readonly Sql[], separator: string): Sql {
  return new Sql(
    pieces.flatMap(({ parts }, at) => at === 0 ? parts : [{ text: separator }, ...parts]),
  );
}

/** Conditions of which all hold; with none, it holds. */
export function all(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`TRUE` : join(conditions, " AND ");
}

/** Conditions of which one holds. They are nested in halves, since databases limit the depth. */
export function any(conditions: readonly Sql[]): Sql {
  if (conditions.length === 0) return sql`FALSE`;
  if (conditions.length === 1) return conditions[0];
  const half = Math.ceil(conditions.length / 2);
  return sql`(${any(conditions.slice(0, half))} OR ${any(conditions.slice(half))})`;
}

/** The list of `IN (…)` for any number of ids, bound as one value: databases limit how many there are. */
export function ids(values: readonly number[]): Sql {
  return members(values, sql`CAST(value AS bigint)`);
}

/** The same for texts. */
export function texts(values: readonly string[]): Sql {
  return members(values, sql`value`);
}

/** The members of a list as rows; PostgreSQL gives each as a text. */
function members(values: readonly Value[], postgresql: Sql): Sql {
  const json = JSON.stringify(values.map(storable));
  return perSystem({
    sqlite: sql`(SELECT value FROM json_each(${json}))`,
    postgresql: sql`(SELECT ${postgresql} FROM json_array_elements_text(${json}))`,
  });
}

/**
 * Rows like those of a table, bound as one value, so that a statement is the same for any number of
 * them, but for none. All have the first one's columns.
 *
 * @example
 * ```ts
 * sql`UPDATE people SET domain = new.domain
 *   FROM ${rowsLike("people", [{ id: 7, domain: "example.com" }])} AS new WHERE people.id = new.id`
 * ```
 */
export function rowsLike(table: string, rows: readonly Columns[]): Sql {
  const json = JSON.stringify(rows.map((row) => Object.fromEntries(columnValues(row))));
  const columns = columnNames(rows).map((column) => sql`value ->> ${column} AS ${name(column)}`);
  return perSystem({
    sqlite: sql`(SELECT ${join(columns, ", ")} FROM json_each(${json}))`,
    postgresql: sql`json_populate_recordset(CAST(NULL AS ${name(table)}), ${json})`,
  });
}

/** What rows are locked for: another transaction waits, or with `SKIP_LOCKED` leaves them out. */
export const FOR_UPDATE = perSystem({ sqlite: NOTHING, postgresql: sql`FOR UPDATE` });
export const FOR_SHARE = perSystem({ sqlite: NOTHING, postgresql: sql`FOR SHARE` });
export const FOR_UPDATE_SKIP_LOCKED = perSystem({
  sqlite: NOTHING,
  postgresql: sql`FOR UPDATE SKIP LOCKED`,
});

/** Lets one transaction at a time go on until it ends; SQLite has only one anyway. */
export function lock(subject: string): Sql {
  return perSystem({
    sqlite: sql`SELECT 1`,
    postgresql: sql`SELECT pg_advisory_xact_lock(hashtext(${subject}))`,
  });
}

/**
 * Values by property: `scheduleId` is the column `schedule_id`. Objects are stored as JSON, and true
 * and false as 1 and 0.
 */
export type Columns = object;

/** The assignments of an `UPDATE`; what is undefined is left as it is. */
export function set(columns: Columns): Sql {
  return join(
    columnValues(columns).map(([column, value]) => sql`${name(column)} = ${value}`),
    ", ",
  );
}

/** An `INSERT` of one row or more. All rows have the columns of the first. */
export function insert(table: string, rows: readonly Columns[]): Sql {
  const columns = join(columnNames(rows).map(name), ", ");
  return sql`INSERT INTO ${name(table)} (${columns})
    SELECT ${columns} FROM ${rowsLike(table, rows)} AS new WHERE TRUE`;
}

/** An `INSERT` that replaces the columns of a row with the same key. */
export function upsert(table: string, rows: readonly Columns[], key: readonly string[]): Sql {
  const columns = columnNames(rows).map(name);
  const sets = columns.map((column) => sql`${column} = excluded.${column}`);
  const keys = join(key.map(name), ", ");
  return sql`${insert(table, rows)} ON CONFLICT (${keys}) DO UPDATE SET ${join(sets, ", ")}`;
}

function columnNames([first]: readonly Columns[]): readonly string[] {
  return columnValues(first).map(([column]) => column);
}

function columnValues(columns: Columns): readonly (readonly [column: string, value: Value])[] {
  return Object.entries(columns).filter(([, value]) => value !== undefined).map(([key, value]) => [
    key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    typeof value === "object" && value !== null
      ? JSON.stringify(value)
      : typeof value === "boolean"
      ? Number(value)
      : storable(value as Value),
  ]);
}

/** A statement as a database gets it: `?` for each value on SQLite, `$1` and so on on PostgreSQL. */
export interface Statement {
  readonly text: string;
  readonly values: readonly Value[];
}

export function compile(piece: Sql, system: System): Statement {
  const values: Value[] = [];
  const write = ({ parts }: Sql): string =>
    parts.map((part) => {
      if ("text" in part) return part.text;
      if ("perSystem" in part) return write(part.perSystem[system]);
      values.push(part.value);
      return system === "sqlite" ? "?" : `$${values.length}`;
    }).join("");
  return { text: write(piece), values };
}
