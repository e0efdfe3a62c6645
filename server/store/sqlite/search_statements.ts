/**
 * How SQLite is asked. It has no statistics to plan by, but the number of matches is counted before
 * the page is read: so the way to the page is chosen here.
 */
import type { SearchPlan } from "../search/plan.ts";
import type { Field } from "../fields.ts";
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
import { exactQuery, type Lookup, textsQuery } from "./trigrams.ts";

export function countFileSets(plan: SearchPlan, guard: Guard): Sql {
  const query = exactQuery(plan);
  if (query !== undefined) {
    return {
      text: "SELECT count(*) FROM file_set_pieces WHERE file_set_pieces MATCH ? " +
        `AND ${guard("rowid")}`,
      values: [query],
    };
  }
  const { text, values } = where(plan, seeking(plan));
  // Without a condition, SQLite counts a hundred times faster than it could be stopped.
  if (text === "") return { text: "SELECT count(*) FROM file_sets", values };
  return { text: `SELECT count(*) FROM file_sets ${guarded(text, guard)}`, values };
}

/** Up to how many rows are read, checked and put in order as soon as they are found. */
export const MOST_LOOKED_UP = 2_000;

/**
 * How many file sets match, and the rows of the page, separated by commas, where a lookup finds few;
 * null and null if it finds more.
 */
export function findFileSets(plan: SearchPlan, { query }: Lookup, guard: Guard): Sql {
  const matching = where(plan, walking(plan));
  const columns = new Set(["id", ...plan.sort.map(({ field }) => field.column)]);
  const page = rowsOf(`SELECT key FROM matches ${orderBy(plan.sort)} LIMIT ? OFFSET ?`);
  return {
    text: "WITH candidates AS MATERIALIZED (SELECT rowid AS key FROM file_set_pieces " +
      `WHERE file_set_pieces MATCH ? AND ${guard("rowid")} LIMIT ${MOST_LOOKED_UP + 1}), ` +
      `matches AS MATERIALIZED (SELECT key, ${[...columns].join(", ")} ` +
      `FROM candidates CROSS JOIN file_sets USING (key) ${matching.text}) ` +
      "SELECT CASE WHEN few THEN (SELECT count(*) FROM matches) END, " +
      `CASE WHEN few THEN (SELECT coalesce(string_agg(json, ','), '') FROM (${page})) END ` +
      `FROM (SELECT count(*) <= ${MOST_LOOKED_UP} AS few FROM candidates)`,
    values: [query, ...matching.values, plan.limit, plan.offset],
  };
}

export function tallyOfFileSets(asked: Tally, guard: Guard): Sql {
  // One way through the table beats an index whose rows are all over it: a plus keeps SQLite from
  // those of ranges, which most rows are often in, and from the order of a column that is grouped.
  const writer: ConditionWriter = {
    ...seeking(asked),
    column: (field) =>
      field.kind === "string" && !hasFewValues(field) ? field.column : `+${field.column}`,
  };
  const { text, values } = where(asked, writer);
  const groupBy = (column: string) => text === "" ? column : `+${column}`;
  return tally(asked, { text: guarded(text, guard), values }, writer, groupBy);
}

/** One page of the file sets that match, in order. */
export function pageOfFileSets(plan: SearchPlan, counts: Counts, guard: Guard): Sql {
  const isWalk = isWalked(plan, counts);
  const matching = where(plan, isWalk ? walking(plan) : seeking(plan));
  const order = orderBy(plan.sort);
  const keys = `SELECT key FROM file_sets ${guarded(matching.text, guard)}`;
  const page = (ordered: string) => rowsOf(`${ordered} LIMIT ? OFFSET ?`);
  const end = plan.offset + plan.limit;
  const isDeep = end > DEEP;
  return {
    // The way to a page that begins early costs less than looking its rows up by their keys again.
    text: isWalk && end <= EARLY && !isSorted(plan)
      ? `SELECT json FROM file_sets ${guarded(matching.text, guard)} ${order} LIMIT ? OFFSET ?`
      : isWalk
      ? page(`${keys} ${order}`)
      : isDeep
      ? `WITH sorted AS MATERIALIZED (${keys} ${unindexed(plan)}) ${page("SELECT key FROM sorted")}`
      : page(`${keys} ${unindexed(plan)}`),
    values: [...matching.values, plan.limit, plan.offset],
  };
}

/**
 * The JSON of rows in the order of a query for their keys: only the keys of a page are found in order,
 * and only its rows are read. The order of the rows rests on the CROSS JOIN, which SQLite works off from
 * left to right, row by row; sorting the page once more is not cheap.
 */
function rowsOf(keys: string): string {
  return `SELECT json FROM (${keys}) AS page CROSS JOIN file_sets USING (key)`;
}

/** The keys of all file sets that match, in order, as one JSON array. */
export function orderOfFileSets(plan: SearchPlan, guard: Guard): Sql {
  const { text, values } = where(plan, seeking(plan));
  const isPlain = text === "" && !isSorted(plan);
  const order = isPlain ? orderBy(plan.sort) : unindexed(plan);
  const keys = `SELECT key FROM file_sets ${guarded(text, guard)} ${order}`;
  return {
    text: `WITH sorted AS MATERIALIZED (${keys}) SELECT json_group_array(key) FROM sorted`,
    values,
  };
}

/** The JSON of the file sets with those keys, in the order of the keys. */
export function fileSetsOf(keys: ArrayLike<number>): Sql {
  return {
    text: "SELECT file_sets.json FROM json_each(?) AS page CROSS JOIN file_sets " +
      "ON file_sets.key = page.value ORDER BY page.key",
    values: [`[${Array.from(keys).join(",")}]`],
  };
}

/** Whether a page is read by walking through an index that has its order, or most of it. */
export function isWalked(plan: SearchPlan, counts: Counts): boolean {
  return isWalkShorter(plan, counts) && !(isSorted(plan) && plan.offset + plan.limit > DEEP);
}

/** Whether an index leaves ties to be sorted, each row of them read at another place of the file. */
export function isSorted(plan: SearchPlan): boolean {
  const keys = decidingKeys(plan.sort);
  return keys.length > 1 && keys[0].field.hasManyTies;
}

/** From which row on sorting everything at once beats keeping the first rows sorted. */
const DEEP = 20_000;

/** Up to which row skipped rows are so few that reading them whole costs nothing. */
const EARLY = 400;

/** What is asked of each row beside the search, given the column of its key. */
export type Guard = (key: string) => string;

/**
 * Every 256th row calls a function of ours, by which the statement can be stopped: `node:sqlite` has no
 * other way. While SQLite sorts the rows that it has read, it calls nothing, so they are keys alone.
 */
export const STOPPABLE: Guard = (key) => `(${key} & 255 OR alive())`;

/** For what takes no longer than asking would. */
export const UNSTOPPABLE: Guard = () => "TRUE";

function guarded(where: string, guard: Guard): string {
  const others = where === "" ? "" : ` AND ${where.slice("WHERE ".length)}`;
  return `WHERE ${guard("key")}${others}`;
}

/**
 * Conditions for finding all matches first. Every index may be used but, beside other conditions, one in
 * which each value has so many rows that reading all rows in their order is quicker.
 */
function seeking(
  { conditions, dateRanges }: Pick<SearchPlan, "conditions" | "dateRanges">,
): ConditionWriter {
  const isAlone = conditions.length + dateRanges.length === 1;
  return {
    column: (field) => isAlone || !hasFewValues(field) ? field.column : `+${field.column}`,
    contains: (field, values) => {
      const pieces = textsQuery(field, values);
      return pieces === undefined ? containsText(field, values) : {
        text: "key IN (SELECT rowid FROM file_set_pieces WHERE file_set_pieces MATCH ?)",
        values: [pieces],
      };
    },
  };
}

/** Whether each value of a field is expected to be in a tenth of all rows or more. */
function hasFewValues({ name }: Field): boolean {
  return name === "permission";
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
