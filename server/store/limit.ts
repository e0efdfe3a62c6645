/** Limits how often a key is used in a minute. */
import { MINUTE } from "../../lib/time_units.ts";
import { ProblemError } from "../http/problem.ts";
import type { Database } from "./database/database.ts";
import { sql } from "./database/sql.ts";
import { DatabaseError } from "./database/database_error.ts";

/** Counts a use of a key. @throws {ProblemError} After more than `perMinute` uses in a minute. */
export type CountUse = (key: string, perMinute: number) => Promise<void>;

/** How often a key was used in a minute, which ends then. */
interface Uses {
  readonly uses: number;
  readonly ends: number;
}

/** Counts in this process alone. */
export function countInMemory(clock: () => number = Date.now): CountUse {
  let counts = new Map<string, number>();
  let ends = 0;
  // deno-lint-ignore require-await
  return async (key, perMinute) => {
    const now = clock();
    if (now >= ends) [counts, ends] = [new Map(), now + MINUTE];
    const uses = (counts.get(key) ?? 0) + 1;
    counts.set(key, uses);
    refuseMore({ uses, ends }, perMinute, now);
  };
}

/**
 * Counts for all instances that share PostgreSQL; in this process alone on SQLite, or while PostgreSQL
 * can't be written to.
 */
export function countOn(database: Database, clock: () => number = Date.now): CountUse {
  const countHere = countInMemory(clock);
  if (database.system === "sqlite") return countHere;
  let nextCleanUp = 0;
  return async (key, perMinute) => {
    const now = clock();
    try {
      if (now >= nextCleanUp) {
        nextCleanUp = now + MINUTE;
        await database.write(sql`DELETE FROM request_counts WHERE ends <= ${now}`);
      }
      const { rows: [count] } = await database.write<Uses>(sql`
        INSERT INTO request_counts (key, uses, ends) VALUES (${key}, 1, ${now + MINUTE})
        ON CONFLICT (key) DO UPDATE SET
          uses = CASE WHEN request_counts.ends <= ${now} THEN 1 ELSE request_counts.uses + 1 END,
          ends = CASE WHEN request_counts.ends <= ${now} THEN excluded.ends ELSE request_counts.ends END
        RETURNING uses, ends`);
      refuseMore(count, perMinute, now);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      await countHere(key, perMinute);
    }
  };
}

function refuseMore({ uses, ends }: Uses, perMinute: number, now: number): void {
  if (uses <= perMinute) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((ends - now) / 1000));
  throw new ProblemError(
    429,
    `This token may send ${perMinute} requests a minute; try again in ${retryAfterSeconds} s`,
    { retryAfterSeconds },
  );
}
