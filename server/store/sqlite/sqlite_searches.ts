/**
 * The searches of a SQLite database. Those that visit few rows run directly, all others in a reader, so
 * that no search blocks the server.
 */
import type { DatabaseSync } from "node:sqlite";
import { DatabaseError } from "../database_error.ts";
import type { Engine, QueryLimits } from "../engine.ts";
import { idsOf, type SearchPlan } from "../search/plan.ts";
import { type Counts, decidingKeys, type Sql } from "../sql.ts";
import type { SqlRow } from "../stored_rows.ts";
import type { Readers } from "./readers.ts";
import { countFileSets, isWalked, pageOfFileSets, tallyOfFileSets } from "./search_statements.ts";
import { attempt } from "./sqlite_errors.ts";
import type { Statements } from "./statements.ts";
import { exactQuery } from "./trigrams.ts";

/** A search that visits no more rows runs directly: it takes some milliseconds. */
const FEW_ROWS = 10_000;

/** A search that visits more rows is long: shorter ones must not wait for it. */
const MANY_ROWS = 200_000;

/** How many rows of an index SQLite skips in the time that it takes to visit one row. */
const SKIPPED_ROWS = 10;

/** No worker sees a database in memory: its searches block the server, so they must end sooner. */
const IN_MEMORY_MS = 1000;

/** The searches of a database; without readers if it is in memory. */
export function searchesOf(
  db: DatabaseSync,
  statements: Statements,
  readers: Readers | null,
): Pick<Engine, "count" | "page" | "tally"> {
  let end = Infinity;
  db.function("alive", () => {
    if (performance.now() < end) return 1;
    throw new DatabaseError("timeout", "", "it is in memory, where searches can't be long");
  });

  function read(sql: Sql, visited: number, limits: QueryLimits): Promise<readonly SqlRow[]> {
    return attempt(() => {
      if (visited <= FEW_ROWS) return statements.read(sql);
      if (readers) return readers.read(sql, { ...limits, isLong: visited > MANY_ROWS });
      end = performance.now() + IN_MEMORY_MS;
      try {
        return statements.readStoppable(sql);
      } finally {
        end = Infinity;
      }
    });
  }

  return {
    async count(plan, limits) {
      const visited = visitedRows(plan, await attempt(statements.lastKey));
      const [[count]] = await read(countFileSets(plan), visited, limits);
      return count as number;
    },
    tally: (asked, all, limits) => read(tallyOfFileSets(asked), visitedRows(asked, all), limits),
    async page(plan, { matching, ...limits }) {
      const counts = { matching, all: await attempt(statements.lastKey) };
      const visited = visitedByPage(plan, counts) + plan.limit;
      const rows = await read(pageOfFileSets(plan, counts), visited, limits);
      return rows.map(([json]) => json as string);
    },
  };
}

/** About how many of all rows are visited to find what matches. */
function visitedRows(plan: Pick<SearchPlan, "conditions" | "dateRanges">, all: number): number {
  const ids = idsOf(plan);
  if (ids) return ids.length;
  if (isPlain(plan) || exactQuery(plan) !== undefined) return all / SKIPPED_ROWS;
  // Each text to look for takes as long as one more visit.
  const texts = plan.conditions.filter(({ comparison }) => comparison === "contains")
    .reduce((sum, { values }) => sum + values.length, 0);
  return all * (1 + texts);
}

/** About how many rows are visited on the way to a page. */
function visitedByPage(plan: SearchPlan, counts: Counts): number {
  if (isPlain(plan) && decidingKeys(plan.sort).length <= 1) return plan.offset / SKIPPED_ROWS;
  // A walk is only chosen if it visits fewer rows than match.
  if (isWalked(plan, counts) || exactQuery(plan) !== undefined) return counts.matching;
  return visitedRows(plan, counts.all);
}

function isPlain({ conditions, dateRanges }: Pick<SearchPlan, "conditions" | "dateRanges">) {
  return conditions.length + dateRanges.length === 0;
}
