/** The default outlets: those in the settings of any process. And when messages need other routes. */
import { type Database, withJson } from "../database/database.ts";
import { lock, set, sql, upsert } from "../database/sql.ts";
import type { ServiceFacts } from "./service_facts.ts";
import { required, type TransactionStep, write } from "./transaction_step.ts";

/** An outlet in the settings of a process. */
export interface RegisteredOutlet {
  readonly name: string;
  /** How long messages wait for others, to be sent as one. */
  readonly collectMs: number;
  /** Whether it also sends critical incidents of schedules with an owner. */
  readonly takesCritical: boolean;
}

interface OutletRow extends Pick<RegisteredOutlet, "name" | "collectMs"> {
  readonly takesCritical: 0 | 1;
  /** When each receiver was last seen: processes may have different ones under one name. */
  readonly receivers: Readonly<Record<string, number>>;
  /** When any process had it last; 0 if none has it any more. */
  readonly seen: number;
}

export function outletsOn(database: Database) {
  return {
    /** The outlets that a process had since a time. */
    async since(time: number): Promise<readonly RegisteredOutlet[]> {
      const rows = await database.read<Omit<OutletRow, "receivers">>(
        sql`SELECT name, collect_ms, takes_critical, seen FROM outlets WHERE seen >= ${time}
          ORDER BY name`,
      );
      return rows.map(({ name, collectMs, takesCritical }) => ({
        name,
        collectMs,
        takesCritical: takesCritical === 1,
      }));
    },
    /**
     * Stores that a process has an outlet with this receiver. `isNew` if its messages have to be queued:
     * it is a new receiver, or no process had it since `newSince`; `isKnown` if it was there before.
     */
    register: (
      { name, collectMs, takesCritical }: RegisteredOutlet,
      { receiver, at, newSince, forgottenBefore }: {
        readonly receiver: string;
        readonly at: number;
        readonly newSince: number;
        readonly forgottenBefore: number;
      },
    ): Promise<{ readonly isNew: boolean; readonly isKnown: boolean }> =>
      database.transaction(async (transaction) => {
        await transaction.read(lock("outlets"));
        const [before] = withJson<OutletRow>(
          await transaction.read(sql`SELECT receivers, seen FROM outlets WHERE name = ${name}`),
          ["receivers"],
        );
        const known = before?.receivers ?? {};
        const isKnown = Object.hasOwn(known, receiver);
        const isNew = !isKnown || before.seen < newSince;
        const lately = Object.entries(known).filter(([, last]) => last > forgottenBefore);
        const receivers = { ...Object.fromEntries(lately), [receiver]: at };
        const row = { name, collectMs, takesCritical, receivers, seen: at };
        await transaction.write(upsert("outlets", [row], ["name"]));
        if (isNew) await routesChanged(at)(transaction);
        return { isNew, isKnown };
      }),
    /** Removes the outlets that no process had since a time. */
    async removeUnseen(since: number): Promise<void> {
      await database.write(sql`UPDATE outlets SET seen = 0 WHERE seen > 0 AND seen <= ${since}`);
    },
  };
}

type RouteChange = Pick<ServiceFacts, "routesChanged" | "routesQueued">;

/** Marks that waiting messages may need another route. */
export function routesChanged(now: number): TransactionStep {
  return write(sql`UPDATE service SET ${set({ routesChanged: now, routesQueued: 0 })}`);
}

/** Records how far incidents were queued. Required, because another instance may be faster. */
export function recordQueued(before: RouteChange, next: RouteChange): TransactionStep {
  return required(
    sql`UPDATE service SET ${set(next)} WHERE routes_changed = ${before.routesChanged}
      AND routes_queued = ${before.routesQueued}`,
  );
}
