/** Duties that one instance does for all, and counters that all instances share. */
import type { Database } from "../database/database.ts";
import { insert, sql, upsert } from "../database/sql.ts";

/** How often something was done: polls and messages, by outcome and by outlet, if they have one. */
export interface Counter {
  readonly counted: "polls" | "messages";
  readonly outlet: string;
  readonly outcome: string;
  readonly count: number;
}

export function dutiesOn(database: Database) {
  return {
    /** Claims a duty that is due, or whose time was stored before a clock was set back. */
    async claim(name: string, now: number, next: number): Promise<boolean> {
      // Reads first, which takes no lock: usually the duty is not due.
      const [duty] = await database.read<{ due: number }>(
        sql`SELECT due FROM duties WHERE name = ${name}`,
      );
      const latest = next + (next - now);
      if (duty && duty.due > now && duty.due <= latest) return false;
      const { changed } = await database.write(
        sql`${upsert("duties", [{ name, due: next }], ["name"])}
          WHERE duties.due <= ${now} OR duties.due > ${latest}`,
      );
      return changed > 0;
    },
    /** Ends a claim before its time, or prolongs it. */
    async setDue(name: string, due: number): Promise<void> {
      await database.write(upsert("duties", [{ name, due }], ["name"]));
    },
  };
}

export function countersOn(database: Database) {
  return {
    list: (): Promise<readonly Counter[]> =>
      database.read(
        sql`SELECT counted, outlet, outcome, count FROM counters ORDER BY counted, outlet, outcome`,
      ),
    async add(counters: readonly Counter[]): Promise<void> {
      if (counters.length === 0) return;
      // In a fixed order, because two instances could otherwise wait for each other's locks.
      const rows = counters.toSorted((a, b) => toKey(a) < toKey(b) ? -1 : 1);
      await database.write(
        sql`${insert("counters", rows)} ON CONFLICT (counted, outlet, outcome)
          DO UPDATE SET count = counters.count + excluded.count`,
      );
    },
  };
}

function toKey({ counted, outlet, outcome }: Counter): string {
  return JSON.stringify([counted, outlet, outcome]);
}
