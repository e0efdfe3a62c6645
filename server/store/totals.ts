/**
 * Totals, counted once for a query while the data doesn't change.
 *
 * @module
 */

import type { SearchPlan } from "./check.ts";
import type { Engine } from "./engine.ts";

const MOST = 1000;

/** Gives how many file sets match a search, exactly. */
export type Totals = (plan: SearchPlan) => Promise<number>;

/** Totals on that engine, kept in memory. */
export function totalsOf(engine: Engine): Totals {
  let version: string | undefined;
  let known = new Map<string, number>();
  return async (plan) => {
    const current = await engine.dataVersion();
    if (current !== version) {
      version = current;
      known = new Map();
    }
    const counted = known;
    const query = JSON.stringify([plan.conditions, plan.dateRanges]);
    const total = counted.get(query);
    if (total !== undefined) return total;
    const count = await engine.count(plan);
    // Another search may have seen a newer version meanwhile: then this goes into a map of the past.
    if (counted.size >= MOST) counted.delete(counted.keys().next().value!);
    counted.set(query, count);
    return count;
  };
}
