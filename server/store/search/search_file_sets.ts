/** Searches of file sets: each is validated, counted and read. */
import type { SearchOptions } from "../../../lib/client/backend.ts";
import type { PageContext, SearchBody } from "../../../lib/types.ts";
import { throwIfInvalid } from "../../http/problem.ts";
import { createAnswers } from "../answers.ts";
import { dataVersion } from "../data_version.ts";
import { DEADLINE_MS, type Engine, type QueryLimits } from "../engine.ts";
import type { SearchPlan } from "./plan.ts";
import { toSearchPlan } from "./validate.ts";

export type Totals = ReturnType<typeof totalsOf>;

/** How many file sets match, counted once while the data doesn't change. */
export function totalsOf(engine: Pick<Engine, "count">) {
  const answers = createAnswers<{ readonly total: number }>();
  return async (plan: SearchPlan, limits: QueryLimits, version: string): Promise<number> => {
    const query = `${version} ${JSON.stringify([plan.conditions, plan.dateRanges])}`;
    const { total } = await answers(query, async (signal) => ({
      total: await engine.count(plan, { ...limits, signal }),
    }), limits.signal);
    return total;
  };
}

/** Searches that answer with JSON. */
export function fileSetSearchOf(engine: Engine, totals: Totals) {
  return async (
    body: SearchBody = {},
    { signal, ...options }: SearchOptions = {},
  ): Promise<string> => {
    signal?.throwIfAborted();
    const { plan, issues } = toSearchPlan(body, options);
    throwIfInvalid(issues);
    const { limit, offset } = plan;
    const limits = { signal, deadline: performance.now() + DEADLINE_MS };
    const total = await totals(plan, limits, await dataVersion(engine, "file sets"));
    signal?.throwIfAborted();
    const rows = offset < total ? await engine.page(plan, { ...limits, matching: total }) : [];
    const end = offset + rows.length;
    const next = rows.length > 0 && end < total ? String(end) : "";
    const pageContext: PageContext = { next, offset, limit, total };
    return `{"fileSets":[${rows.join(",")}],"pageContext":${JSON.stringify(pageContext)}}`;
  };
}
