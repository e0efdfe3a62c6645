/** Reads and writes records. Columns are named like the properties, in snake case. */
import type { Engine } from "../engine.ts";
import type { SqlRow } from "../stored_rows.ts";
import { placeholders, type Sql, whereAll } from "../sql.ts";

export type Columns = Readonly<Record<string, Sql["values"][number]>>;

const JSON_PROPERTIES: ReadonlySet<string> = new Set(
  ("acknowledgedBy actor days details ending falseIncidents pauses plan quiet reason resolvedBy " +
    "scheduleIds").split(" "),
);

export interface RecordSource<T> {
  readonly from: string;
  readonly columns: string;
  fromRow(row: SqlRow): T;
}

/** A source of records; columns such as `w.schedule_id` and expressions become their properties. */
export function recordsOf<T extends object>(
  from: string,
  columns: string,
  expressions: Readonly<Record<string, string>> = {},
): RecordSource<T> {
  const plain = columns.split(", ");
  const names = [
    ...plain.map((column) =>
      column.replace(/^\w+\./, "").replace(/_./g, ([, letter]) => letter.toUpperCase())
    ),
    ...Object.keys(expressions),
  ];
  return {
    from,
    columns: [...plain, ...Object.values(expressions)].join(", "),
    fromRow(row) {
      const record: Record<string, unknown> = {};
      for (const [at, name] of names.entries()) {
        const value = row[at];
        const isJson = value !== null && JSON_PROPERTIES.has(name);
        record[name] = isJson ? JSON.parse(value as string) : value;
      }
      return record as T;
    },
  };
}

export function columnsOf(record: object): Columns {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      typeof value === "object" && value !== null ? JSON.stringify(value) : value,
    ]),
  );
}

/** The records of a query; `rest` follows its `FROM`. */
export async function select<T>(
  engine: Engine,
  { from, columns, fromRow }: RecordSource<T>,
  rest: string,
  values: Sql["values"] = [],
): Promise<T[]> {
  const rows = await engine.rows(`SELECT ${columns} FROM ${from} ${rest}`, values);
  return rows.map(fromRow);
}

export async function selectPage<T>(
  engine: Engine,
  source: RecordSource<T>,
  conditions: readonly Sql[],
  order: string,
  { limit, offset = 0 }: { readonly limit: number; readonly offset?: number },
): Promise<{ items: readonly T[]; total: number }> {
  const { text: where, values } = whereAll(conditions);
  const [[total]] = await engine.rows(`SELECT count(*) FROM ${source.from} ${where}`, values);
  const rest = `${where} ${order} LIMIT ? OFFSET ?`;
  const items = await select(engine, source, rest, [...values, limit, offset]);
  return { items, total: total as number };
}

export function insertInto(table: string, record: object, rest = ""): Sql {
  const columns = columnsOf(record);
  const names = Object.keys(columns);
  return {
    text: `INSERT INTO ${table} (${names.join(", ")}) VALUES (${placeholders(names)}) ${rest}`,
    values: Object.values(columns),
  };
}

export function upsert(table: string, record: object, key = "key"): Sql {
  const sets = Object.keys(columnsOf(record)).map((column) => `${column} = excluded.${column}`);
  return insertInto(table, record, `ON CONFLICT (${key}) DO UPDATE SET ${sets.join(", ")}`);
}

export function update(table: string, record: object, rest: string, values: Sql["values"]): Sql {
  const columns = columnsOf(record);
  const sets = Object.keys(columns).map((name) => `${name} = ?`).join(", ");
  return {
    text: `UPDATE ${table} SET ${sets} ${rest}`,
    values: [...Object.values(columns), ...values],
  };
}
