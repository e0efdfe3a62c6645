/** Totals, counted once for a query while the data doesn't change. */
import { LRUCache } from "lru-cache";
import { meter } from "../../log/telemetry/api.ts";
import type { SearchPlan } from "./plan.ts";
import type { Engine, QueryLimits } from "../engine.ts";

/** The most characters of all queries with a cached total, and of one of them. */
const MOST_CHARACTERS = 1_000_000;
const LONGEST = 4000;

const lookups = meter.createCounter("docket.totals.lookups", {
  description: "Totals that were cached, or had to be counted",
});

export type Totals = ReturnType<typeof totalsOf>;

export function totalsOf(engine: Pick<Engine, "count">) {
  const cached = new LRUCache<string, number>({
    maxSize: MOST_CHARACTERS,
    maxEntrySize: LONGEST,
    sizeCalculation: (_total, query) => query.length,
  });
  return async (plan: SearchPlan, limits: QueryLimits, version: string): Promise<number> => {
    const query = `${version} ${JSON.stringify([plan.conditions, plan.dateRanges])}`;
    const known = cached.get(query);
    lookups.add(1, { "docket.result": known === undefined ? "miss" : "hit" });
    if (known !== undefined) return known;
    const total = await engine.count(plan, limits);
    cached.set(query, total);
    return total;
  };
}
