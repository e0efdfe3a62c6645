/** Searches on SQLite, which has no statistics: the count of matches decides the way to a page. */
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
  tally,
  where,
} from "../sql.ts";
import { foldCase, hasTrigram } from "../text.ts";

export function countFileSets(plan: SearchPlan): Sql {
  const query = exactQuery(plan);
  if (query !== undefined) {
    return {
      text: "SELECT count(*) FROM file_set_pieces WHERE file_set_pieces MATCH ? " +
        `AND ${isAlive("rowid")}`,
      values: [query],
    };
  }
  const { text, values } = where(plan, seeking(plan));
  // Without a condition, SQLite counts a hundred times faster than it could be stopped.
  if (text === "") return { text: "SELECT count(*) FROM file_sets", values };
  return { text: `SELECT count(*) FROM file_sets ${stoppable(text)}`, values };
}

export function tallyOfFileSets(asked: Tally): Sql {
  // One pass beats an index of scattered rows: a plus hides those of ranges and of grouped columns.
  const writer: ConditionWriter = {
    ...seeking(asked),
    column: (field) =>
      field.kind === "string" && !hasFewValues(field) ? field.column : `+${field.column}`,
  };
  const { text, values } = where(asked, writer);
  const groupBy = (column: string) => text === "" ? column : `+${column}`;
  return tally(asked, { text: stoppable(text), values }, writer, groupBy);
}

/** The rows of a page. SQLite follows a CROSS JOIN from left to right, which keeps their order. */
export function pageOfFileSets(plan: SearchPlan, counts: Counts): Sql {
  const isWalk = decidingKeys(plan.sort).length <= 1 && isWalkShorter(plan, counts);
  const { text, values } = where(plan, isWalk ? walking(plan) : seeking(plan));
  const matching = `SELECT key FROM file_sets ${stoppable(text)}`;
  const order = orderBy(plan.sort);
  // A plus hides the order's index. Materialized, all keys are sorted together, which is quicker.
  const sorted = `SELECT key FROM sorted LIMIT ? OFFSET ?`;
  const page = isWalk ? `${matching} ${order} LIMIT ? OFFSET ?` : sorted;
  const sorting = `WITH sorted AS MATERIALIZED (${matching} ${order.replace("BY ", "BY +")}) `;
  return {
    text: `${isWalk ? "" : sorting}SELECT json FROM (${page}) AS page ` +
      "CROSS JOIN file_sets USING (key)",
    values: [...values, plan.limit, plan.offset],
  };
}

/** Every 256th row calls `alive()`, which throws once the statement is to be stopped. */
function isAlive(key: string): string {
  return `(${key} & 255 OR alive())`;
}

function stoppable(where: string): string {
  const others = where === "" ? "" : ` AND ${where.slice("WHERE ".length)}`;
  return `WHERE ${isAlive("key")}${others}`;
}

/** Conditions for finding all matches: an index of few values is slower than reading all rows. */
function seeking(
  { conditions, dateRanges }: Pick<SearchPlan, "conditions" | "dateRanges">,
): ConditionWriter {
  const isAlone = conditions.length + dateRanges.length === 1;
  return {
    column: (field) => isAlone || !hasFewValues(field) ? field.column : `+${field.column}`,
    contains: (field, values) => {
      const query = textsQuery(field, values);
      return query === undefined ? containsText(field, values) : {
        text: "key IN (SELECT rowid FROM file_set_pieces WHERE file_set_pieces MATCH ?)",
        values: [query],
      };
    },
  };
}

/** Whether each value of a field is expected to be in a tenth of all rows or more. */
function hasFewValues({ name }: StoredField): boolean {
  return name === "permission";
}

/** Conditions for walking: a plus hides from SQLite every index but the one of the order. */
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

// The full-text table finds texts of three characters or more by their trigrams.

/** The query that finds exactly what a search finds, when the table can answer it. */
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

/** The query for any of several texts in a field, when each is long enough. */
export function textsQuery(field: StoredField, values: readonly string[]): string | undefined {
  if (!field.hasTrigrams || !values.every(hasTrigram)) return undefined;
  return `{${field.folded}} : (${values.map(quoted).join(" OR ")})`;
}

/** A text as the table finds it: all its trigrams, one after the other. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
