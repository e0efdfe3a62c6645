/** Searches on PostgreSQL, each cancelled at its deadline. */
import type { Engine, QueryLimits } from "../engine.ts";
import { idsOf, type SearchPlan } from "../search/plan.ts";
import type { Sql } from "../sql.ts";
import { type Connections, searchRows } from "./connection.ts";
import { countFileSets, pageOfFileSets, TABLE_FACTS, tallyOfFileSets } from "./postgres_queries.ts";

export function searchesOf(connections: Connections): Pick<Engine, "count" | "page" | "tally"> {
  const { searches, lookups } = connections;
  const read = (plan: Pick<SearchPlan, "conditions">, sql: Sql, limits: QueryLimits) => {
    // Searches for ids take milliseconds, and wait for no others.
    const pool = idsOf(plan) === undefined ? searches : lookups;
    return searchRows(pool, connections, sql, limits);
  };
  return {
    async count(plan, limits) {
      const [[count]] = await read(plan, countFileSets(plan), limits);
      return count as number;
    },
    tally: (asked, _all, limits) => read(asked, tallyOfFileSets(asked), limits),
    async page(plan, { matching, ...limits }) {
      const [[size, hasLongTexts]] = await read(plan, TABLE_FACTS, limits);
      const facts = {
        matching,
        all: Math.max(size as number, matching),
        hasLongTexts: hasLongTexts as boolean,
      };
      const rows = await read(plan, pageOfFileSets(plan, facts), limits);
      return rows.map(([json]) => json as string);
    },
  };
}
