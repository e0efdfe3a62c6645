/** Totals, counted once for a query while the data doesn't change. */
import { createAnswers } from "../answers.ts";
import type { SearchPlan } from "./plan.ts";
import type { Engine, QueryLimits } from "../engine.ts";

/** The most characters of all queries with a cached total. */
const MOST_CHARACTERS = 1_000_000;

export type Totals = ReturnType<typeof totalsOf>;

export function totalsOf(engine: Pick<Engine, "count">) {
  const answers = createAnswers<{ readonly total: number }>(() => 0, MOST_CHARACTERS);
  return async (plan: SearchPlan, limits: QueryLimits, version: string): Promise<number> => {
    const query = `${version} ${JSON.stringify([plan.conditions, plan.dateRanges])}`;
    const { total } = await answers(query, async (signal) => ({
      total: await engine.count(plan, { ...limits, signal }),
    }), limits.signal);
    return total;
  };
}
