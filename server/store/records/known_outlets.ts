/** The default outlets: those in the settings of any process. */
import type { Database } from "../database/database.ts";
import { insert, sql, upsert } from "../database/sql.ts";
import { EARLIER } from "./messages.ts";
import { commit, required, write } from "./transaction_step.ts";

/** An outlet in the settings of a process. */
export interface RegisteredOutlet {
  readonly name: string;
  /** Whether it also sends critical incidents of schedules with an owner. */
  readonly takesCritical: boolean;
}

export function outletsOn(database: Database) {
  return {
    /** The outlets that a process had after a time. */
    seenAfter: (time: number): Promise<readonly RegisteredOutlet[]> =>
      database.read(
        sql`SELECT name, max(takes_critical) AS takes_critical
          FROM outlets WHERE seen > ${time} GROUP BY name ORDER BY name`,
      ),
    /** Stores that a process has an outlet with this receiver. */
    async register(
      outlet: RegisteredOutlet & { readonly receiver: string; readonly seen: number },
    ): Promise<void> {
      const isNew = await commit(database, [
        required(sql`${insert("outlets", [outlet])} ON CONFLICT DO NOTHING`),
        // What is open was sent to another receiver. It is queued for this one, as for a new outlet.
        write(
          sql`UPDATE messages SET outlet = ${outlet.name + EARLIER} WHERE outlet = ${outlet.name}
            AND sent IS NOT NULL
            AND incident_id IN (SELECT id FROM incidents WHERE said = 'open')`,
        ),
      ]);
      if (!isNew) await database.write(upsert("outlets", [outlet], ["name", "receiver"]));
    },
  };
}
