/**
 * Brings a PostgreSQL database to the current schema.
 *
 * @module
 */

// @ts-types="@types/pg"
import type pg from "pg";
import { inTransaction } from "./connection.ts";
import { MIGRATIONS } from "./migrations.ts";

// Any number, as long as it is always the same.
const LOCK = 4_715_033_012;

/** Runs the steps that are missing, once, also when several instances start together. */
export async function migrate(pool: pg.Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    // Held until the transaction ends: whoever comes second finds everything done.
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
    await client.query("CREATE TABLE IF NOT EXISTS schema_steps (step integer PRIMARY KEY)");
    const { rows } = await client.query("SELECT count(*)::integer AS done FROM schema_steps");
    const { done } = rows[0];
    if (done > MIGRATIONS.length) {
      throw new Error(
        `The database has schema ${done}, made by a newer Docket; this one knows ` +
          `${MIGRATIONS.length}`,
      );
    }
    for (let step = done; step < MIGRATIONS.length; step++) {
      await client.query(MIGRATIONS[step]);
      await client.query("INSERT INTO schema_steps VALUES ($1)", [step + 1]);
    }
  });
}
