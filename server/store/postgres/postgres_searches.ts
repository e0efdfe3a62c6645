/** Searches on PostgreSQL, each cancelled at its deadline. */
import type { Engine } from "../engine.ts";
import { idsOf, type SearchPlan } from "../search/plan.ts";
import { type Connections, searchRows } from "./connection.ts";
import { countFileSets, pageOfFileSets, TABLE_FACTS, tallyOfFileSets } from "./postgres_queries.ts";

export function searchesOf(
  { searches, lookups }: Pick<Connections, "searches" | "lookups">,
): Pick<Engine, "count" | "page" | "tally"> {
  /** Searches for ids take milliseconds, and wait for no others. */
  const poolFor = (plan: SearchPlan) => idsOf(plan) === undefined ? searches : lookups;
  return {
    async count(plan, limits) {
      const [[count]] = await searchRows(poolFor(plan), countFileSets(plan), limits);
      return count as number;
    },
    tally: (asked, _all, limits) => searchRows(searches, tallyOfFileSets(asked), limits),
    async page(plan, { matching, ...limits }) {
      const [[size, hasLongTexts]] = await searchRows(poolFor(plan), TABLE_FACTS, limits);
      const facts = {
        matching,
        all: Math.max(size as number, matching),
        hasLongTexts: hasLongTexts as boolean,
      };
      const rows = await searchRows(poolFor(plan), pageOfFileSets(plan, facts), limits);
      return rows.map(([json]) => json as string);
    },
  };
}
