/** Limits how often a key is used in a minute. */
import { MINUTE } from "../../lib/time_units.ts";
import { ProblemError } from "../http/problem.ts";
import type { Database } from "./database/database.ts";
import { sql } from "./database/sql.ts";
import { DatabaseError } from "./database/database_error.ts";

/** Counts a use of a key. @throws {ProblemError} After more than `perMinute` uses in a minute. */
export type CountUse = (key: string, perMinute: number) => Promise<void>;

/** How often a key was used since its first use, whose minute ends then. */
interface Uses {
  readonly uses: number;
  readonly ends: number;
}

/** Counts in this process alone. */
export function countInMemory(): CountUse {
  const counts = new Map<string, Uses>();
  const cleanUp = onceAMinute((now) => {
    for (const [key, { ends }] of counts) if (ends <= now) counts.delete(key);
  });
  // deno-lint-ignore require-await
  return async (key, perMinute) => {
    const now = Date.now();
    cleanUp(now);
    const last = counts.get(key);
    const isOver = !last || last.ends <= now;
    const count = isOver ? { uses: 1, ends: now + MINUTE } : { ...last, uses: last.uses + 1 };
    counts.set(key, count);
    refuseMore(count, perMinute, now);
  };
}

/**
 * Counts for all instances that share PostgreSQL; in this process alone on SQLite, or while PostgreSQL
 * can't be written to.
 */
export function countOn(database: Database): CountUse {
  if (database.system === "sqlite") return countInMemory();
  const countHere = countInMemory();
  const cleanUp = onceAMinute((now) =>
    void database.writeIfFree(sql`DELETE FROM request_counts WHERE ends <= ${now}`).catch(() => {})
  );
  return async (key, perMinute) => {
    const now = Date.now();
    cleanUp(now);
    try {
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

function onceAMinute(work: (now: number) => void): (now: number) => void {
  let next = 0;
  return (now) => {
    if (now < next) return;
    next = now + MINUTE;
    work(now);
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
