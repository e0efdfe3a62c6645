/** Writing to PostgreSQL. */
import type { Driver, Run } from "../database/driver.ts";
import type { Engine, TransactionStep } from "../engine.ts";
import type { SqlRow } from "../stored_rows.ts";
import type { WriteDialect } from "../writes.ts";
import { numbered } from "./numbered.ts";
import { NO_START } from "../ledger/run_parts.ts";

export const POSTGRES_WRITES: WriteDialect = {
  emptyTables: (tables) => [`TRUNCATE ${tables.join(", ")}`],
};

const UNDO = new Error("A required statement returned no row");

/** Runs statements in one transaction; undoes it and returns null if a required one returned no row. */
export async function transact(
  driver: Driver,
  steps: readonly TransactionStep[],
): Promise<readonly (readonly SqlRow[])[] | null> {
  try {
    return await driver.transaction(async (run) => {
      const results: (readonly SqlRow[])[] = [];
      for (const step of steps) {
        const { rows } = await run(numbered(step));
        if (step.required && rows.length === 0) throw UNDO;
        results.push(rows);
      }
      return results;
    });
  } catch (error) {
    if (error === UNDO) return null;
    throw error;
  }
}

/** Runs outside these years share one partition. */
const YEARS = { first: 2000, last: 2099 };

/** Any number, as long as it never changes. */
const LOCK = 4_715_033_013;

export function monthsOf(driver: Driver): Pick<Engine, "openMonths" | "removeRunsBefore"> {
  const open = new Set<string>();
  return {
    async openMonths(starts) {
      const months = new Map(starts.map((start) => [start, monthOf(start)]));
      for (const month of new Set(months.values())) {
        if (month === null || open.has(month.name)) continue;
        await driver.transaction(async (run) => {
          await run({ text: `SELECT pg_advisory_xact_lock(${LOCK})` });
          await changeMonths(
            run,
            `CREATE TABLE IF NOT EXISTS ${month.name} PARTITION OF run_versions ` +
              `FOR VALUES FROM (${month.start}) TO (${month.end})`,
          );
        });
        open.add(month.name);
      }
    },
    async removeRunsBefore(time) {
      const { rows: names } = await driver.read({
        text: "SELECT inhrelid::regclass::text FROM pg_inherits " +
          "WHERE inhparent = 'run_versions'::regclass",
        values: [],
      });
      for (const [name] of names as readonly [string][]) {
        const month = /^run_versions_(\d{4})_(\d\d)$/.exec(name);
        // Takes no advisory lock, unlike creating a month: the two could wait for each other.
        if (month && Date.UTC(+month[1], +month[2]) <= time) {
          await driver.transaction((run) => changeMonths(run, `DROP TABLE IF EXISTS ${name}`));
          open.delete(name);
        }
      }
      const text = "DELETE FROM run_versions WHERE start_time < ? AND start_time <> ?";
      await driver.maintain(numbered({ text, values: [time, NO_START] }));
    },
  };
}

/** Waits shortly: while it waits, such as for a backup, nobody else can read any runs. */
async function changeMonths(run: Run, text: string): Promise<void> {
  await run({ text: "SET LOCAL lock_timeout = '1s'" });
  await run({ text });
}

function monthOf(start: number) {
  const date = new Date(start);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (!(year >= YEARS.first && year <= YEARS.last)) return null;
  const name = `run_versions_${year}_${`${month + 1}`.padStart(2, "0")}`;
  return { name, start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
}
