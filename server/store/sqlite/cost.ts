/**
 * How much work a query is for SQLite, estimated in microseconds from measurements at 1,000,000 file
 * sets. It decides where a query runs, and never what it answers.
 */
import { idsOf, type SearchPlan } from "../search/plan.ts";
import type { Counts, Tally } from "../sql.ts";
import { isSorted, MOST_LOOKED_UP } from "./search_statements.ts";
import { exactQuery, type Lookup } from "./trigrams.ts";

/** What takes no longer runs at once, on the program's own thread. */
export const INSTANT_US = 5_000;
/** What takes longer must not keep shorter queries waiting. */
export const LONG_US = 200_000;

const ROW_READ_US = 8;
const ROW_SCANNED_US = 0.5;
const ROW_WALKED_US = 3;
const ROW_SKIPPED_US = 0.15;
const ROW_SORTED_US = 2;
const VALUE_SEARCHED_US = 0.2;
const ENTRY_US = 0.05;

/** The work of counting; `rows` is how many there are at most. */
export function costOfCount(plan: SearchPlan, rows: number): number {
  const ids = idsOf(plan)?.length;
  if (ids !== undefined) return ids * ROW_READ_US;
  if (plan.conditions.length + plan.dateRanges.length === 0) return rows * ROW_SKIPPED_US;
  return costOfFinding(plan, rows);
}

/** The work of finding few rows, and reading a page of them. */
export function costOfLookup({ rows, entries }: Lookup, limit: number): number {
  return costOfEntries(entries) + Math.min(rows, MOST_LOOKED_UP) * ROW_WALKED_US +
    costOfRows(limit);
}

/** The work of walking that many entries of the table of trigrams. */
export function costOfEntries(count: number): number {
  return count * ENTRY_US;
}

/** The work of a tally: every row that matches is looked at once for each condition. */
export function costOfTally(asked: Tally, all: number): number {
  return all * (scanned(asked) + ROW_WALKED_US);
}

/** The work of reading a page, by walking the order's index or by sorting what matches. */
export function costOfPage(plan: SearchPlan, { matching, all }: Counts, isWalk: boolean): number {
  const page = costOfRows(plan.limit);
  const ids = idsOf(plan)?.length;
  if (ids !== undefined) return page + ids * ROW_READ_US;
  if (!isWalk) return page + costOfFinding(plan, all) + matching * ROW_SORTED_US;
  const isFiltered = plan.conditions.length + plan.dateRanges.length > 0;
  // A page within ties takes sorting all of them; there are some ten different values at least.
  const ties = isSorted(plan) ? all * ROW_WALKED_US / 10 : 0;
  const end = plan.offset + plan.limit;
  const walked = isFiltered ? Math.min(all, end * all / Math.max(matching, 1)) : end;
  return page + ties + walked * (isFiltered ? scanned(plan) + ROW_WALKED_US : ROW_SKIPPED_US);
}

/** The work of putting everything that matches in order. */
export function costOfOrder(plan: SearchPlan, { matching, all }: Counts): number {
  const isFiltered = plan.conditions.length + plan.dateRanges.length > 0;
  const found = isFiltered ? costOfFinding(plan, all) : all * ROW_SKIPPED_US;
  return found + (isFiltered || isSorted(plan) ? matching * ROW_SORTED_US : 0);
}

/** The work of reading rows by their keys. */
export function costOfRows(count: number): number {
  return count * ROW_READ_US;
}

/** The work of finding all matches among that many rows. */
function costOfFinding(plan: SearchPlan, rows: number): number {
  return rows * (exactQuery(plan) !== undefined ? ROW_SKIPPED_US : scanned(plan));
}

/** The work for one row when every row is looked at. */
function scanned({ conditions }: Pick<SearchPlan, "conditions">): number {
  const values = conditions.filter(({ comparison }) => comparison === "contains")
    .reduce((sum, { values }) => sum + values.length, 0);
  return ROW_SCANNED_US + values * VALUE_SEARCHED_US;
}
