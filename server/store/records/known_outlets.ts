/** The default outlets: those in the settings of any process. */
import type { Database } from "../database/database.ts";
import { sql, upsert } from "../database/sql.ts";
import { EARLIER } from "./messages.ts";
import { commit, exists, required, write } from "./transaction_step.ts";

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
    /**
     * Stores that a process has an outlet with this receiver. True if one had it before, but none after
     * a time, so that it may have missed ends; of several that store it at once, one gets true.
     */
    async register(
      outlet: RegisteredOutlet & { readonly receiver: string },
      { at, after }: { readonly at: number; readonly after: number },
    ): Promise<boolean> {
      const { name, receiver } = outlet;
      const isKnown = await exists(
        database,
        sql`outlets WHERE name = ${name} AND receiver = ${receiver}`,
      );
      const seen = upsert("outlets", [{ ...outlet, seen: at }], ["name", "receiver"]);
      const isNew = await commit(database, [
        required(sql`${seen} WHERE outlets.seen <= ${after}`),
        // What is open was sent to another receiver. It is queued for this one, as for a new outlet.
        ...isKnown ? [] : [write(
          sql`UPDATE messages SET outlet = ${name + EARLIER} WHERE outlet = ${name}
            AND sent IS NOT NULL
            AND incident_id IN (SELECT id FROM incidents WHERE said = 'open')`,
        )],
      ]);
      if (!isNew) await database.write(seen);
      return isNew && isKnown;
    },
  };
}
