/** Totals, counted once for a query while the data doesn't change. */
import { meter } from "../../log/telemetry/api.ts";
import { createAnswers } from "../answers.ts";
import type { SearchPlan } from "./plan.ts";
import type { Engine, QueryLimits } from "../engine.ts";

/** The most characters of all queries with a cached total. */
const MOST_CHARACTERS = 1_000_000;

const lookups = meter.createCounter("docket.totals.lookups", {
  description: "Totals that were cached, or had to be counted",
});

export type Totals = ReturnType<typeof totalsOf>;

export function totalsOf(engine: Pick<Engine, "count">) {
  const answers = createAnswers<{ readonly total: number }>(() => 0, MOST_CHARACTERS);
  return async (plan: SearchPlan, limits: QueryLimits, version: string): Promise<number> => {
    const query = `${version} ${JSON.stringify([plan.conditions, plan.dateRanges])}`;
    let result = "hit";
    const { total } = await answers(query, async (signal) => {
      result = "miss";
      return { total: await engine.count(plan, { ...limits, signal }) };
    }, limits.signal);
    lookups.add(1, { "docket.result": result });
    return total;
  };
}
