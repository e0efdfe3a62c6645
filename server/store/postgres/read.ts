/**
 * How PostgreSQL is asked for file sets.
 *
 * @module
 */

import type { Condition, SearchPlan } from "../plan.ts";
import type { Field } from "../fields.ts";
import {
  anyOf,
  type ConditionWriter,
  type Counts,
  decidingKeys,
  isWalkShorter,
  orderBy,
  type Sql,
  where,
} from "../sql.ts";
import { hasTrigram } from "../text.ts";
import { hasStart, START_LENGTH, startColumn } from "./columns.ts";

/** How many file sets match. */
export function countFileSets(plan: SearchPlan): Sql {
  const matching = where(plan, SEEKING);
  return { text: `SELECT count(*) FROM file_sets ${matching.text}`, values: matching.values };
}

/** One page of the file sets that match, in order. */
export function pageOfFileSets(plan: SearchPlan, counts: Counts, hasLongTexts: boolean): Sql {
  const columnsOf = (field: Field) =>
    hasStart(field) && hasLongTexts ? [startColumn(field), field.column] : [startColumn(field)];
  const order = orderBy(plan.sort, columnsOf);
  const isWalk = isWalkShorter(plan, counts);
  const matching = where(plan, isWalk ? WALKING : SEEKING);
  const sorted = new Set(["id", ...decidingKeys(plan.sort).flatMap((key) => columnsOf(key.field))]);
  // MATERIALIZED: all matches are found before they are sorted, by whatever index finds them.
  const source = isWalk ? `file_sets ${matching.text}` : "matching";
  const found = isWalk
    ? ""
    : `WITH matching AS MATERIALIZED (SELECT ${[...sorted].join(", ")} FROM file_sets ` +
      `${matching.text}) `;
  // Only the ids of the page are found in order, in the index alone; only its rows are read.
  return {
    text: `${found}SELECT json FROM ` +
      `(SELECT id FROM ${source} ${order} LIMIT ? OFFSET ?) AS page ` +
      `JOIN file_sets USING (id) ${order}`,
    values: [...matching.values, plan.limit, plan.offset],
  };
}

/** Conditions for finding all matches first: pieces are looked up in their index. */
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

/** Conditions for walking through the order's index. */
const WALKING: ConditionWriter = {
  column: (field) => field.column,
  contains: containsText,
  implied: impliedByStart,
};

function containsText(field: Field, values: readonly string[]): Sql {
  return { text: anyOf(values.map(() => `strpos(${field.folded}, ?) > 0`)), values };
}

/** What a comparison says about the start of a text, which is what the index holds. */
function impliedByStart({ field, comparison, values }: Condition): Sql | undefined {
  if (!hasStart(field) || comparison === "contains") return undefined;
  const column = startColumn(field);
  const starts = values.map((value) => [...String(value)].slice(0, START_LENGTH).join(""));
  switch (comparison) {
    case "missing":
      return { text: `${column} IS NULL`, values: [] };
    case "=":
      return { text: `${column} IN (${starts.map(() => "?").join(", ")})`, values: starts };
    default:
      return { text: `${column} ${comparison.at(0)}= ?`, values: starts };
  }
}
