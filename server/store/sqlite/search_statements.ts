/** SQL of searches on SQLite. It has no statistics: the count of matches decides how a page is read. */
import type { SearchPlan } from "../search/plan.ts";
import type { StoredField } from "../fields.ts";
import {
  anyOf,
  type ConditionWriter,
  type Counts,
  decidingKeys,
  isWalkShorter,
  orderBy,
  type Sql,
  type Tally,
  tallyStatement,
  where,
} from "../sql.ts";
import { foldCase } from "../../../lib/search/compare_values.ts";
import { hasTrigram } from "../text.ts";

export function countFileSets(plan: SearchPlan): Sql {
  const query = exactQuery(plan);
  if (query !== undefined) {
    return {
      text: "SELECT count(*) FROM file_set_trigrams WHERE file_set_trigrams MATCH ? " +
        `AND ${isAlive("rowid")}`,
      values: [query],
    };
  }
  const { text, values } = where(plan, seeking(plan));
  // Without conditions, SQLite counts so fast that it need not be stoppable.
  if (text === "") return { text: "SELECT count(*) FROM file_sets", values };
  return { text: `SELECT count(*) FROM file_sets ${stoppable(text)}`, values };
}

export function tallyFileSets(tally: Tally): Sql {
  // One pass is faster than an index of scattered rows. A plus hides a column's index from SQLite.
  const writer: ConditionWriter = {
    ...seeking(tally),
    column: (field) =>
      field.kind === "string" && !hasFewValues(field) ? field.column : `+${field.column}`,
  };
  const { text, values } = where(tally, writer);
  const groupBy = (column: string) => text === "" ? column : `+${column}`;
  return tallyStatement(tally, { text: stoppable(text), values }, writer, groupBy);
}

/** The rows of a page. SQLite runs a CROSS JOIN from left to right, which preserves their order. */
export function pageOfFileSets(plan: SearchPlan, counts: Counts): Sql {
  const isWalk = decidingKeys(plan.sort).length <= 1 && isWalkShorter(plan, counts);
  const { text, values } = where(plan, isWalk ? walking(plan) : seeking(plan));
  const matching = `SELECT key FROM file_sets ${stoppable(text)}`;
  const order = orderBy(plan.sort);
  // A plus hides the order's index. MATERIALIZED sorts all keys together, which is quicker.
  const sorted = `SELECT key FROM sorted LIMIT ? OFFSET ?`;
  const page = isWalk ? `${matching} ${order} LIMIT ? OFFSET ?` : sorted;
  const sorting = `WITH sorted AS MATERIALIZED (${matching} ${order.replace("BY ", "BY +")}) `;
  return {
    text: `${isWalk ? "" : sorting}SELECT json FROM (${page}) AS page ` +
      "CROSS JOIN file_sets USING (key)",
    values: [...values, plan.limit, plan.offset],
  };
}

/** Every 256th row calls `alive()`, which throws if the statement is to be stopped. */
function isAlive(key: string): string {
  return `(${key} & 255 OR alive())`;
}

function stoppable(where: string): string {
  const others = where === "" ? "" : ` AND ${where.slice("WHERE ".length)}`;
  return `WHERE ${isAlive("key")}${others}`;
}

/** Conditions for finding all matches. An index of few values would be slower than reading all rows. */
function seeking(
  { conditions, dateRanges }: Pick<SearchPlan, "conditions" | "dateRanges">,
): ConditionWriter {
  const isAlone = conditions.length + dateRanges.length === 1;
  return {
    column: (field) => isAlone || !hasFewValues(field) ? field.column : `+${field.column}`,
    contains: (field, values) => {
      const query = textsQuery(field, values);
      return query === undefined ? containsText(field, values) : {
        text: "key IN (SELECT rowid FROM file_set_trigrams WHERE file_set_trigrams MATCH ?)",
        values: [query],
      };
    },
  };
}

/** Whether a tenth of all rows or more is expected to have each value of a field. */
function hasFewValues({ name }: StoredField): boolean {
  return name === "permission";
}

/** Conditions for walking the order's index: a plus hides all other indexes from SQLite. */
function walking(plan: SearchPlan): ConditionWriter {
  const leading = plan.sort[0]?.field;
  return {
    column: (field) => field === leading ? field.column : `+${field.column}`,
    contains: containsText,
  };
}

function containsText(field: StoredField, values: readonly string[]): Sql {
  return { text: anyOf(values.map(() => `instr(${field.folded}, ?) > 0`)), values };
}

/** The full-text query with exactly the matches of a search, if the trigrams can answer it. */
export function exactQuery(
  { conditions, dateRanges }: Pick<SearchPlan, "conditions" | "dateRanges">,
): string | undefined {
  if (conditions.length === 0 || dateRanges.length > 0) return undefined;
  const queries = conditions.map(({ comparison, not, field, values }) =>
    comparison === "contains" && !not
      ? textsQuery(field, values.map((value) => foldCase(String(value))))
      : undefined
  );
  return queries.includes(undefined) ? undefined : queries.join(" AND ");
}

/** The full-text query for any of several texts in a field, if each has three characters or more. */
function textsQuery(field: StoredField, values: readonly string[]): string | undefined {
  if (!field.hasTrigrams || !values.every(hasTrigram)) return undefined;
  return `{${field.folded}} : (${values.map(quoted).join(" OR ")})`;
}

/** A text as a full-text phrase: its trigrams, one after the other. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
