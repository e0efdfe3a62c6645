/** How PostgreSQL is asked for file sets. */
import type { Engine, QueryLimits } from "../engine.ts";
import { type ColumnCondition, idsOf, type SearchPlan } from "../search/plan.ts";
import type { StoredField } from "../fields.ts";
import {
  anyOf,
  type ConditionWriter,
  type Counts,
  decidingKeys,
  isWalkShorter,
  orderBy,
  placeholders,
  type Sql,
  type Tally,
  tally,
  where,
} from "../sql.ts";
import { hasTrigram } from "../text.ts";
import { type Connections, searchRows } from "./connection.ts";
import { hasStart, LONGEST_TEXT, START_LENGTH, startColumn } from "./postgres_schema.ts";

/** What a page's query depends on, beside the search. */
interface PageFacts extends Counts {
  /** Whether a text is longer than what its index holds. */
  readonly hasLongTexts: boolean;
}

/** Searches, each cancelled at its deadline. */
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

/** PostgreSQL's estimate of the number of file sets, and whether any has a long text. */
export const TABLE_FACTS: Sql = {
  text: "SELECT (SELECT greatest(reltuples, 0) FROM pg_class WHERE oid = 'file_sets'::regclass), " +
    `coalesce(max(${LONGEST_TEXT}) > ${START_LENGTH}, false) FROM file_sets`,
  values: [],
};

function countFileSets(plan: SearchPlan): Sql {
  const matching = where(plan, SEEKING);
  return { text: `SELECT count(*) FROM file_sets ${matching.text}`, values: matching.values };
}

function tallyOfFileSets(asked: Tally): Sql {
  return tally(asked, where(asked, SEEKING), SEEKING);
}

/**
 * One page of the file sets that match, in order. An index that has the order gives the page's ids
 * by itself; only the page's rows are read.
 */
function pageOfFileSets(plan: SearchPlan, facts: PageFacts): Sql {
  // An index holds the starts of texts. What follows decides only where there are long texts.
  const columnsOf = (field: StoredField) =>
    hasStart(field) && facts.hasLongTexts
      ? [startColumn(field), field.column]
      : [startColumn(field)];
  const order = orderBy(plan.sort, columnsOf);
  // Few matches may all be at the end of the order: then a walk would read the whole table.
  const isWalk = facts.matching > facts.all / 8 && isWalkShorter(plan, facts);
  const matching = where(plan, isWalk ? WALKING : SEEKING);
  const sorted = new Set(["id", ...decidingKeys(plan.sort).flatMap((key) => columnsOf(key.field))]);
  // MATERIALIZED: all matches are found before they are sorted, by whatever index finds them.
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

/** Conditions for finding all matches first. */
const SEEKING: ConditionWriter = {
  column: (field) => field.column,
  contains: (field, values) =>
    field.hasTrigrams && values.every(hasTrigram)
      ? {
        text: anyOf(values.map(() => `${field.folded} LIKE ?`)),
        values: values.map((value) => `%${value.replace(/[\\%_]/g, "\\$&")}%`),
      }
      : containsText(field, values),
  implied: impliedByStart,
};

/** Conditions for reading rows in the order of an index: they use no other one. */
const WALKING: ConditionWriter = { ...SEEKING, contains: containsText };

function containsText(field: StoredField, values: readonly string[]): Sql {
  return { text: anyOf(values.map(() => `strpos(${field.folded}, ?) > 0`)), values };
}

/** What a comparison says about the start of a text, which is what the index holds. */
function impliedByStart({ field, comparison, values }: ColumnCondition): Sql | undefined {
  if (!hasStart(field) || comparison === "contains") return undefined;
  const column = startColumn(field);
  const starts = values.map((value) => [...String(value)].slice(0, START_LENGTH).join(""));
  switch (comparison) {
    case "missing":
      return { text: `${column} IS NULL`, values: [] };
    case "=":
      return { text: `${column} IN (${placeholders(starts)})`, values: starts };
    default:
      return { text: anyOf(starts.map(() => `${column} ${comparison.at(0)}= ?`)), values: starts };
  }
}
