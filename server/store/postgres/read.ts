/** How PostgreSQL is asked for file sets. */
import type { ColumnCondition, SearchPlan } from "../search/plan.ts";
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
import { hasStart, START_LENGTH, startColumn } from "./columns.ts";

export function countFileSets(plan: SearchPlan, hasLongTexts: boolean): Sql {
  const matching = where(plan, conditionWriter("seek", hasLongTexts));
  return { text: `SELECT count(*) FROM file_sets ${matching.text}`, values: matching.values };
}

export function tallyOfFileSets(asked: Tally, hasLongTexts: boolean): Sql {
  const writer = conditionWriter("seek", hasLongTexts);
  return tally(asked, where(asked, writer), writer);
}

/** One page of the file sets that match, in order. */
export function pageOfFileSets(plan: SearchPlan, counts: Counts, hasLongTexts: boolean): Sql {
  const ids = idsOfFileSets(plan, counts, hasLongTexts);
  // Only the ids of the page are found in order, in the index alone; only its rows are read.
  return {
    text: `SELECT json FROM (${ids.text}) AS page JOIN file_sets USING (id) ` +
      orderBy(plan.sort, columnsWith(hasLongTexts)),
    values: ids.values,
  };
}

/** The ids of one page, of all that match or of those at a place among them. */
export function idsOfFileSets(
  plan: SearchPlan,
  counts: Counts,
  hasLongTexts: boolean,
  place: readonly ColumnCondition[] = [],
): Sql {
  const columnsOf = columnsWith(hasLongTexts);
  const order = orderBy(plan.sort, columnsOf);
  const isWalk = isWalkShorter(plan, counts);
  const wanted = { ...plan, conditions: [...plan.conditions, ...place] };
  const matching = where(wanted, conditionWriter(isWalk ? "walk" : "seek", hasLongTexts));
  const sorted = new Set(["id", ...decidingKeys(plan.sort).flatMap((key) => columnsOf(key.field))]);
  // MATERIALIZED: all matches are found before they are sorted, by whatever index finds them.
  const source = isWalk ? `file_sets ${matching.text}` : "matching";
  const found = isWalk
    ? ""
    : `WITH matching AS MATERIALIZED (SELECT ${[...sorted].join(", ")} FROM file_sets ` +
      `${matching.text}) `;
  return {
    text: `${found}SELECT id FROM ${source} ${order} LIMIT ? OFFSET ?`,
    values: [...matching.values, plan.limit, plan.offset],
  };
}

/** The file sets with those ids, in the order of the ids. */
export function fileSetsOf(ids: readonly string[]): Sql {
  return {
    text:
      "SELECT json FROM json_array_elements_text(?::json) WITH ORDINALITY AS page (id, place) " +
      "JOIN file_sets USING (id) ORDER BY place",
    values: [JSON.stringify(ids)],
  };
}

/** What a field is sorted by: the start of a text, and the rest only where there is any. */
function columnsWith(hasLongTexts: boolean): (field: StoredField) => readonly string[] {
  return (field) =>
    hasStart(field) && hasLongTexts ? [startColumn(field), field.column] : [startColumn(field)];
}

/**
 * Conditions for finding all matches first, when pieces are looked up in their index, or for walking
 * through the order's index. Where no text is longer than its start, starts are what is compared.
 */
function conditionWriter(way: "seek" | "walk", hasLongTexts: boolean): ConditionWriter {
  return {
    column: hasLongTexts ? (field) => field.column : startColumn,
    contains: (field, values) =>
      way === "seek" && field.hasTrigrams && values.every(hasTrigram)
        ? {
          text: anyOf(values.map(() => `${field.folded} LIKE ?`)),
          values: values.map((value) => `%${value.replace(/[\\%_]/g, "\\$&")}%`),
        }
        : containsText(field, values),
    ...hasLongTexts ? { implied: impliedByStart } : {},
  };
}

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
      return { text: `${column} ${comparison.at(0)}= ?`, values: starts };
  }
}
