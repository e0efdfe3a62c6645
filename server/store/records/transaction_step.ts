/** Steps of one transaction, which several rooms put together. */
import type { Database, ReadOptions, Transaction } from "../database/database.ts";
import { all, name, perSystem, type Sql, sql } from "../database/sql.ts";

/** What a transaction does. If it resolves to false, the whole transaction is undone. */
export type TransactionStep = (transaction: Transaction) => Promise<unknown>;

export function write(statement: Sql): TransactionStep {
  return (transaction) => transaction.write(statement);
}

/** A statement without whose change the transaction is undone. */
export function required(statement: Sql): TransactionStep {
  return async (transaction) => (await transaction.write(statement)).changed > 0;
}

const UNDONE = Symbol("undone");

/** Runs all steps in one transaction; false if one of them undid it. */
export async function commit(
  database: Database,
  steps: readonly TransactionStep[],
): Promise<boolean> {
  if (steps.length === 0) return true;
  try {
    await database.transaction(async (transaction) => {
      for (const step of steps) {
        if (await step(transaction) === false) throw UNDONE;
      }
    });
    return true;
  } catch (error) {
    if (error === UNDONE) return false;
    throw error;
  }
}

/** Removes all rows of tables. PostgreSQL may not take as long as it needs to delete a million. */
export async function emptyTables(
  { write }: Pick<Transaction, "write">,
  tables: readonly string[],
): Promise<void> {
  for (const table of tables.map(name)) {
    const [deleting, emptying] = [sql`DELETE FROM ${table}`, sql`TRUNCATE ${table}`];
    await write(perSystem({ sqlite: deleting, postgresql: emptying }));
  }
}

/** Whether there is a row in a table, such as sql`owners WHERE key = ${key}`. */
export async function exists({ read }: Pick<Transaction, "read">, rows: Sql): Promise<boolean> {
  return (await read(sql`SELECT 1 FROM ${rows} LIMIT 1`)).length > 0;
}

/** The columns of a row that nobody works on. */
export const UNLEASED = { lease: null, leaseUntil: null };

/** The condition that nobody works on a row, or that whoever did has lost the lease. */
export function isUnleased(now: number): Sql {
  return sql`(lease_until IS NULL OR lease_until <= ${now})`;
}

/** The values of a statement's only column. */
export async function readColumn<Value>(
  { read }: Pick<Database, "read">,
  statement: Sql,
  options?: ReadOptions,
): Promise<readonly Value[]> {
  return (await read<Record<string, Value>>(statement, options)).flatMap(Object.values);
}

/** The value in the first row of a statement's only column; undefined if there is no row. */
export async function readValue<Value>(
  database: Pick<Database, "read">,
  statement: Sql,
  options?: ReadOptions,
): Promise<Value> {
  return (await readColumn<Value>(database, statement, options))[0];
}

export interface Page {
  readonly limit: number;
  readonly offset?: number;
}

/** A page of rows that meet all conditions, and how many there are. */
export async function readPage<Row>(
  database: Database,
  { columns = sql`*`, rows, conditions = [], order, page: { limit, offset = 0 } }: {
    /** Default: all. */
    readonly columns?: Sql;
    /** A table, or several that are joined. */
    readonly rows: Sql;
    readonly conditions?: readonly Sql[];
    readonly order: Sql;
    readonly page: Page;
  },
): Promise<{ readonly items: readonly Row[]; readonly total: number }> {
  const from = sql`FROM ${rows} WHERE ${all(conditions)}`;
  const total = await readValue<number>(database, sql`SELECT count(*) ${from}`);
  const items = await database.read<Row>(
    sql`SELECT ${columns} ${from} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`,
  );
  return { items, total };
}

/** The condition on a value; none if the value is undefined. */
export function optional<Value>(
  value: Value | undefined,
  condition: (value: Value) => Sql,
): readonly Sql[] {
  return value === undefined ? [] : [condition(value)];
}
