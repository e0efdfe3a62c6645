/**
 * How SQLite is asked. It has no statistics to plan by, but the number of matches is counted before
 * the page is read: so the way to the page is chosen here.
 *
 * @module
 */

import type { Condition, SearchPlan } from "../plan.ts";
import type { Field } from "../fields.ts";
import {
  anyOf,
  type ConditionWriter,
  type Counts,
  isWalkShorter,
  orderBy,
  type Sql,
  where,
} from "../sql.ts";
import { foldCase } from "../text.ts";

/** How many file sets match. */
export function countFileSets(plan: SearchPlan): Sql {
  const pieces = trigramsAlone(plan);
  if (pieces !== undefined) {
    return {
      text: "SELECT count(*) FROM file_set_pieces WHERE file_set_pieces MATCH ?",
      values: [pieces],
    };
  }
  const matching = where(plan, seeking());
  return { text: `SELECT count(*) FROM file_sets ${matching.text}`, values: matching.values };
}

/** One page of the file sets that match, in order. */
export function pageOfFileSets(plan: SearchPlan, counts: Counts): Sql {
  const isWalk = isWalkShorter(plan, counts);
  const matching = where(plan, isWalk ? walking(plan) : seeking());
  const order = orderBy(plan.sort);
  // Only the keys of the page are found in order; only its rows are read. CROSS JOIN is SQLite's
  // way to be told that the page comes first.
  return {
    text: `SELECT json FROM (SELECT key FROM file_sets ${matching.text} ` +
      `${isWalk ? order : unindexed(plan)} LIMIT ? OFFSET ?) AS page ` +
      `CROSS JOIN file_sets USING (key) ${order}`,
    values: [...matching.values, plan.limit, plan.offset],
  };
}

/** Conditions for finding all matches first: every index may be used. */
function seeking(): ConditionWriter {
  return {
    column: (field) => field.column,
    contains: (field, values) => {
      const pieces = trigramQuery(field, values);
      return pieces === undefined ? containsText(field, values) : {
        text: "key IN (SELECT rowid FROM file_set_pieces WHERE file_set_pieces MATCH ?)",
        values: [pieces],
      };
    },
  };
}

/** Conditions for walking: a plus keeps SQLite from leaving the order's index for another. */
function walking(plan: SearchPlan): ConditionWriter {
  const leading = plan.sort[0]?.field;
  return {
    column: (field) => field === leading ? field.column : `+${field.column}`,
    contains: containsText,
  };
}

function containsText(field: Field, values: readonly string[]): Sql {
  return { text: anyOf(values.map(() => `instr(${field.folded}, ?) > 0`)), values };
}

// The same order without the order's index: a plus before the first column.
function unindexed(plan: SearchPlan): string {
  return orderBy(plan.sort).replace("ORDER BY ", "ORDER BY +");
}

/** The query for the pieces' table, when they can answer the whole search. */
function trigramsAlone({ conditions, dateRanges }: SearchPlan): string | undefined {
  if (conditions.length === 0 || dateRanges.length > 0) return undefined;
  const queries = conditions.map(({ comparison, not, field, values }: Condition) =>
    comparison === "contains" && !not
      ? trigramQuery(field, values.map((value) => foldCase(String(value))))
      : undefined
  );
  return queries.includes(undefined) ? undefined : queries.join(" AND ");
}

/** The query for one field, when each value is at least as long as a piece. */
function trigramQuery(field: Field, values: readonly string[]): string | undefined {
  if (!field.hasTrigrams || values.some((value) => [...value].length < 3)) return undefined;
  const texts = values.map((value) => `"${value.replaceAll('"', '""')}"`);
  return `{${field.folded}} : (${texts.join(" OR ")})`;
}
