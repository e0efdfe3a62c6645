import type { Database, Transaction, Written } from "../database/database.ts";
import { toRows } from "../database/rows.ts";
import { compile, type Sql, sql } from "../database/sql.ts";
import { ifWritable } from "../database_error.ts";
import { type Connections, inTransaction, query, queryAlone, search } from "./connection.ts";

type Result = Awaited<ReturnType<typeof query>>;

/** The longest wait for a lock of what may be skipped, in milliseconds. */
const SHORT_WAIT = sql`SET LOCAL lock_timeout = 50`;

export function postgresDatabase(connections: Connections, deadlineMs: number): Database {
  const { lookups, searches, longWrites } = connections;

  const transaction: Database["transaction"] = (work) =>
    inTransaction(lookups, async (client) => {
      let isOpen = true;
      const run = async (statement: Sql) => {
        if (!isOpen) throw new TypeError("The transaction has ended");
        return await query(client, compile(statement, "postgresql"));
      };
      const transaction: Transaction = {
        read: async (statement) => rowsOf(await run(statement)),
        write: async (statement) => toWritten(await run(statement)),
      };
      try {
        return await work(transaction);
      } finally {
        isOpen = false;
      }
    });

  return {
    system: "postgresql",
    async read(statement, { lane, signal } = {}) {
      const compiled = compile(statement, "postgresql");
      if (lane !== "search" && !signal) return rowsOf(await queryAlone(lookups, compiled));
      const pool = lane === "search" ? searches : lookups;
      const deadline = performance.now() + deadlineMs;
      return rowsOf(await search(pool, connections, compiled, { signal, deadline }));
    },
    write: async (statement) =>
      toWritten(await queryAlone(lookups, compile(statement, "postgresql"))),
    writeIfFree: (statement) =>
      ifWritable(() =>
        transaction(async ({ write }) => {
          await write(SHORT_WAIT);
          await write(statement);
        })
      ),
    maintain: async (statement) => void await query(longWrites, compile(statement, "postgresql")),
    transaction,
    close: () => connections.close(),
  };
}

function rowsOf<Row>({ fields, rows }: Result): readonly Row[] {
  return toRows(fields.map(({ name }) => name), rows);
}

function toWritten<Row>(result: Result): Written<Row> {
  return { rows: rowsOf(result), changed: result.rowCount ?? 0 };
}
