/** Searches on SQLite: few rows directly, others in a reader, so that none blocks the server. */
import type { DatabaseSync } from "node:sqlite";
import type { Engine, QueryLimits } from "../engine.ts";
import { idsOf, type SearchPlan } from "../search/plan.ts";
import { decidingKeys, type Sql, textsIn } from "../sql.ts";
import type { SqlRow } from "../stored_rows.ts";
import type { Readers } from "./readers.ts";
import { countFileSets, exactQuery, pageOfFileSets, tallyOfFileSets } from "./search_statements.ts";
import { attempt } from "./sqlite_errors.ts";
import type { Statements } from "./statements.ts";

/** A search with at most this many visits runs directly: it takes some milliseconds. */
const FEW_VISITS = 10_000;

/** A search with more visits is long: shorter ones must not wait for it. */
const MANY_VISITS = 200_000;

// Visits are rows read in a row: an index skips this many in the time of one; a lookup takes more.
const ROWS_OF_INDEX = 10;
const VISITS_OF_LOOKUP = 5;

/** The searches of a database; without readers if it is in memory, where only the small sample is. */
export function searchesOf(
  db: DatabaseSync,
  statements: Statements,
  readers: Readers | null,
): Pick<Engine, "count" | "page" | "tally"> {
  db.function("alive", () => 1);

  function read(sql: Sql, visits: number, limits: QueryLimits): Promise<readonly SqlRow[]> {
    return attempt(() => {
      if (visits <= FEW_VISITS || !readers) return statements.read(sql);
      return readers.read(sql, { ...limits, isLong: visits > MANY_VISITS });
    });
  }

  return {
    async count(plan, limits) {
      const all = await attempt(statements.lastKey);
      const visits = isPlain(plan) ? all / ROWS_OF_INDEX : visitsOf(plan, all);
      const [[count]] = await read(countFileSets(plan), visits, limits);
      return count as number;
    },
    tally: (asked, all, limits) => read(tallyOfFileSets(asked), visitsOf(asked, all), limits),
    async page(plan, { matching, ...limits }) {
      const counts = { matching, all: await attempt(statements.lastKey) };
      const isInOrder = isPlain(plan) && decidingKeys(plan.sort).length <= 1;
      const before = isInOrder ? plan.offset / ROWS_OF_INDEX : visitsOf(plan, counts.all);
      const visits = before + plan.limit * VISITS_OF_LOOKUP;
      const rows = await read(pageOfFileSets(plan, counts), visits, limits);
      return rows.map(([json]) => json as string);
    },
  };
}

type Conditions = Pick<SearchPlan, "conditions" | "dateRanges">;

/** About how many visits it takes to find all matches: by their ids, in an index, or among all rows. */
function visitsOf(plan: Conditions, all: number): number {
  const ids = idsOf(plan);
  if (ids) return ids.length * VISITS_OF_LOOKUP;
  return exactQuery(plan) === undefined
    ? all * (1 + textsIn(plan))
    : all / ROWS_OF_INDEX * textsIn(plan);
}

function isPlain({ conditions, dateRanges }: Conditions): boolean {
  return conditions.length + dateRanges.length === 0;
}
