import type { Engine, QueryLimits } from "../engine.ts";
import { idsOf, type SearchPlan } from "../search/plan.ts";
import type { StoredField } from "../fields.ts";
import {
  anyOf,
  type ConditionWriter,
  type Counts,
  decidingKeys,
  isWalkShorter,
  orderBy,
  type Sql,
  tallyStatement,
  where,
} from "../sql.ts";
import { hasTrigram } from "../text.ts";
import { type Connections, numbered, search } from "./connection.ts";

/** Searches on PostgreSQL, each cancelled at its deadline. */
export function searchesOf(connections: Connections): Pick<Engine, "count" | "page" | "tally"> {
  const { searches, lookups } = connections;
  const read = async (plan: Pick<SearchPlan, "conditions">, sql: Sql, limits: QueryLimits) => {
    // Searches by id take milliseconds, so they need not wait for other searches.
    const pool = idsOf(plan) === undefined ? searches : lookups;
    return (await search(pool, connections, numbered(sql), limits)).rows;
  };
  return {
    async count(plan, limits) {
      const { text, values } = where(plan, SEEKING);
      const counting = { text: `SELECT count(*) FROM file_sets ${text}`, values };
      const [[count]] = await read(plan, counting, limits);
      return count as number;
    },
    tally: (tally, _all, limits) =>
      read(tally, tallyStatement(tally, where(tally, SEEKING), SEEKING), limits),
    async page(plan, { matching, ...limits }) {
      const [[size]] = await read(plan, ESTIMATED_SIZE, limits);
      const counts = { matching, all: Math.max(size as number, matching) };
      const rows = await read(plan, pageOfFileSets(plan, counts), limits);
      return rows.map(([json]) => json as string);
    },
  };
}

const ESTIMATED_SIZE: Sql = {
  text: "SELECT reltuples FROM pg_class WHERE oid = 'file_sets'::regclass",
  values: [],
};

/** One page of the matches, in order; only that page's rows are read whole. */
function pageOfFileSets(plan: SearchPlan, counts: Counts): Sql {
  const order = orderBy(plan.sort);
  // A few matches may all come last in the order: then a walk would read the whole table.
  const isWalk = counts.matching > counts.all / 8 && isWalkShorter(plan, counts);
  const matching = where(plan, isWalk ? WALKING : SEEKING);
  const sorted = new Set(["id", ...decidingKeys(plan.sort).map(({ field }) => field.column)]);
  // MATERIALIZED makes PostgreSQL find all matches by the best index before it sorts them.
  const ids = isWalk
    ? `SELECT id FROM file_sets ${matching.text}`
    : `WITH matching AS MATERIALIZED (SELECT ${[...sorted].join(", ")} FROM file_sets ` +
      `${matching.text}) SELECT id FROM matching`;
  return {
    text: `SELECT json FROM (${ids} ${order} LIMIT ? OFFSET ?) AS page ` +
      `JOIN file_sets USING (id) ${order}`,
    values: [...matching.values, plan.limit, plan.offset],
  };
}

const SEEKING: ConditionWriter = {
  column: (field) => field.column,
  contains: (field, values) =>
    field.hasTrigrams && values.every(hasTrigram)
      ? {
        text: anyOf(values.map(() => `${field.folded} LIKE ?`)),
        values: values.map((value) => `%${value.replace(/[\\%_]/g, "\\$&")}%`),
      }
      : containsText(field, values),
};

/** Conditions for reading rows in the order of an index; no condition uses another index. */
const WALKING: ConditionWriter = { ...SEEKING, contains: containsText };

function containsText(field: StoredField, values: readonly string[]): Sql {
  return { text: anyOf(values.map(() => `strpos(${field.folded}, ?) > 0`)), values };
}
