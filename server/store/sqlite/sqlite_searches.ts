/** Runs short searches directly and all others in worker threads, so that no search blocks the server. */
import type { Engine, QueryLimits } from "../engine.ts";
import { idsOf, type SearchPlan } from "../search/plan.ts";
import { decidingKeys, type Sql, textsIn } from "../sql.ts";
import type { SqlRow } from "../stored_rows.ts";
import type { Readers } from "./readers.ts";
import { countFileSets, exactQuery, pageOfFileSets, tallyFileSets } from "./search_statements.ts";
import type { InTurn } from "./sqlite_database.ts";
import { attempt } from "./sqlite_errors.ts";
import type { Statements } from "./statements.ts";

/** A search with at most this many visits runs directly: it takes some milliseconds. */
const FEW_VISITS = 10_000;

/** A search with more visits is long: shorter ones must not wait for it. */
const MANY_VISITS = 200_000;

// A visit is the time to read one row of the table in order.
const INDEX_ROWS_PER_VISIT = 10;
const VISITS_PER_LOOKUP = 5;

/** The searches of a database. One in memory has no readers: it only has the small sample. */
export function searchesOf(
  statements: Statements,
  readers: Readers | null,
  inTurn: InTurn,
): Pick<Engine, "count" | "page" | "tally"> {
  function read(sql: Sql, visits: number, limits: QueryLimits): Promise<readonly SqlRow[]> {
    if (visits <= FEW_VISITS || !readers) return inTurn(() => statements.read(sql));
    return attempt(() => readers.read(sql, { ...limits, isLong: visits > MANY_VISITS }));
  }

  return {
    async count(plan, limits) {
      const all = await inTurn(statements.lastKey);
      const visits = matchesAll(plan) ? all / INDEX_ROWS_PER_VISIT : visitsOf(plan, all);
      const [[count]] = await read(countFileSets(plan), visits, limits);
      return count as number;
    },
    tally: (tally, all, limits) => read(tallyFileSets(tally), visitsOf(tally, all), limits),
    async page(plan, { matching, ...limits }) {
      const counts = { matching, all: await inTurn(statements.lastKey) };
      const isInOrder = matchesAll(plan) && decidingKeys(plan.sort).length <= 1;
      const before = isInOrder ? plan.offset / INDEX_ROWS_PER_VISIT : visitsOf(plan, counts.all);
      const visits = before + plan.limit * VISITS_PER_LOOKUP;
      const rows = await read(pageOfFileSets(plan, counts), visits, limits);
      return rows.map(([json]) => json as string);
    },
  };
}

type Conditions = Pick<SearchPlan, "conditions" | "dateRanges">;

/** About how many visits finding all matches takes: by ids, in an index, or by reading all rows. */
function visitsOf(plan: Conditions, all: number): number {
  const ids = idsOf(plan);
  if (ids) return ids.length * VISITS_PER_LOOKUP;
  return exactQuery(plan) === undefined
    ? all * (1 + textsIn(plan))
    : all / INDEX_ROWS_PER_VISIT * textsIn(plan);
}

function matchesAll({ conditions, dateRanges }: Conditions): boolean {
  return conditions.length + dateRanges.length === 0;
}
