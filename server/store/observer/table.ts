/** Tables of records: columns are named like the properties, in snake case. */
import type { Engine } from "../engine.ts";
import type { Value } from "../search/plan.ts";
import type { SqlRow } from "../stored_rows.ts";
import { placeholders, type Sql, whereAll } from "../sql.ts";

export type Columns = Readonly<Record<string, Value | null>>;

/** A table, with the columns that a record has. */
export interface RecordTable<T> {
  readonly name: string;
  readonly columns: string;
  /** The record in a row of those columns. */
  fromRow(row: SqlRow): T;
  /** The columns of the given properties. */
  toColumns(record: Partial<T>): Columns;
}

/** What records are read from: a table, or an expression of its columns. */
export type RecordSource<T> = Omit<RecordTable<T>, "toColumns">;

/** The columns of a query, by the properties of its records; those in `json` hold JSON. */
export function columnsOf<T extends object>(
  sql: Readonly<Record<keyof T & string, string>>,
  json: readonly string[] = [],
): Pick<RecordTable<T>, "columns" | "fromRow"> {
  const properties = Object.keys(sql).map((name) => ({ name, isJson: json.includes(name) }));
  return {
    columns: Object.values(sql).join(", "),
    fromRow: (row) =>
      Object.fromEntries(properties.map(({ name, isJson }, at) => {
        const value = row[at];
        return [name, isJson && value !== null ? JSON.parse(value as string) : value];
      })) as T,
  };
}

/** A table, by the properties of its records: a `value` is a number, a text or null; `json` is anything. */
export function tableOf<T extends object>(
  name: string,
  kinds: Readonly<Record<keyof T & string, "value" | "json">>,
): RecordTable<T> {
  const properties = Object.keys(kinds) as (keyof T & string)[];
  const names = Object.fromEntries(properties.map((property) => [
    property,
    property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ])) as Record<keyof T & string, string>;
  const isJson = (property: keyof T & string) => kinds[property] === "json";
  return {
    name,
    ...columnsOf<T>(names, properties.filter(isJson)),
    toColumns(record) {
      const columns: Record<string, Value | null> = {};
      for (const property of properties) {
        const value = record[property];
        if (value === undefined) continue;
        columns[names[property]] = isJson(property) && value !== null
          ? JSON.stringify(value)
          : value as Value | null;
      }
      return columns;
    },
  };
}

/** The records that a query finds, given what follows the table's name. */
export async function select<T>(
  engine: Engine,
  { name, columns, fromRow }: RecordSource<T>,
  rest: string,
  values: Sql["values"] = [],
): Promise<T[]> {
  const rows = await engine.rows(`SELECT ${columns} FROM ${name} ${rest}`, values);
  return rows.map(fromRow);
}

/** A page of the records that meet all conditions, and how many do. */
export async function selectPage<T>(
  engine: Engine,
  table: RecordSource<T>,
  conditions: readonly Sql[],
  order: string,
  { limit, offset = 0 }: { readonly limit: number; readonly offset?: number },
): Promise<{ items: readonly T[]; total: number }> {
  const { text: where, values } = whereAll(conditions);
  const [[total]] = await engine.rows(`SELECT count(*) FROM ${table.name} ${where}`, values);
  const rest = `${where} ${order} LIMIT ? OFFSET ?`;
  const items = await select(engine, table, rest, [...values, limit, offset]);
  return { items, total: total as number };
}

export function insertInto(table: string, columns: Columns, rest = ""): Sql {
  const names = Object.keys(columns);
  const places = placeholders(names);
  return {
    text: `INSERT INTO ${table} (${names.join(", ")}) VALUES (${places}) ${rest}`,
    values: Object.values(columns),
  };
}

/** A statement that inserts a row, or replaces the one with the same key. */
export function upsert(table: string, columns: Columns, key = "key"): Sql {
  const sets = Object.keys(columns).map((column) => `${column} = excluded.${column}`);
  return insertInto(table, columns, `ON CONFLICT (${key}) DO UPDATE SET ${sets.join(", ")}`);
}

/** A statement that updates rows, given what follows the new values. */
export function update(
  table: string,
  columns: Columns,
  rest: string,
  values: Sql["values"],
): Sql {
  const sets = Object.keys(columns).map((name) => `${name} = ?`).join(", ");
  return {
    text: `UPDATE ${table} SET ${sets} ${rest}`,
    values: [...Object.values(columns), ...values],
  };
}
