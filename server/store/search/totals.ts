/** Totals, counted once for a query while the data doesn't change. */
import { meter } from "../../log/telemetry/api.ts";
import type { SearchPlan } from "./plan.ts";
import type { Engine, QueryOptions, Total } from "../engine.ts";

/** The most totals that are kept, and the most characters of a search of which one is kept. */
const MOST = 1000;
const MOST_CHARACTERS = 4000;

const lookups = meter.createCounter("docket.totals.lookups", {
  description: "Totals that were known already, or had to be counted",
});

export type Totals = ReturnType<typeof totalsOf>;

export function totalsOf(engine: Engine) {
  let version: string | undefined;
  let known = new Map<string, Total>();
  return async (plan: SearchPlan, options: QueryOptions, current: string): Promise<Total> => {
    if (current !== version) {
      version = current;
      known = new Map();
    }
    // Another search may see a newer version meanwhile: then this one keeps using the old map.
    const counted = known;
    const query = JSON.stringify([plan.conditions, plan.dateRanges]);
    const total = counted.get(query);
    lookups.add(1, { "docket.result": total === undefined ? "miss" : "hit" });
    if (total !== undefined) return total;
    const made = await engine.count(plan, { ...options, version: current });
    if (query.length > MOST_CHARACTERS) return made;
    if (counted.size >= MOST) counted.delete(counted.keys().next().value!);
    counted.set(query, made);
    return made;
  };
}
