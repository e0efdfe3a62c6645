/** Searches on PostgreSQL: their totals and their pages. */

// @ts-types="@types/pg"
import type pg from "pg";
import type { FileSet } from "../../../lib/types.ts";
import type { Engine, QueryOptions } from "../engine.ts";
import { idsOf, searchName, type SearchPlan } from "../search/plan.ts";
import { placesBehind, type Sql } from "../sql.ts";
import { searchRows } from "./connection.ts";
import {
  costOfQuery,
  countFileSets,
  fileSetsOf,
  idsOfFileSets,
  pageOfFileSets,
  sampleFileSets,
  tallyOfFileSets,
} from "./read.ts";
import { createWalks } from "./walks.ts";

export interface Known {
  /** Whether a text is longer than what its index holds. */
  hasLongTexts: boolean;
  /** How many there are, roughly. */
  size: number;
}

/** Up to which cost, as PostgreSQL's planner puts it, matches are counted: some seconds. */
const COUNT_COST = 250_000;
/** What a row may cost at most: a search with 1,000 values. */
const ROW_COST = 2.5;

export function searchesOf(
  { searches, lookups }: { readonly searches: pg.Pool; readonly lookups: pg.Pool },
  known: Readonly<Known>,
  countCost = COUNT_COST,
): Pick<Engine, "count" | "page" | "tally"> {
  const walks = createWalks();

  function read(plan: SearchPlan, sql: Sql, options: QueryOptions): Promise<unknown[][]> {
    return searchRows(idsOf(plan) === undefined ? searches : lookups, sql, options);
  }

  async function isTooMuch(plan: SearchPlan, count: Sql, options: QueryOptions): Promise<boolean> {
    if (idsOf(plan) !== undefined || known.size * ROW_COST < countCost) return false;
    const [[explained]] = await read(plan, costOfQuery(count), options);
    return (explained as [{ Plan: { "Total Cost": number } }])[0].Plan["Total Cost"] >= countCost;
  }

  /** How many file sets match, judged by some of them: two digits of it. */
  async function estimate(plan: SearchPlan, options: QueryOptions): Promise<number> {
    const { hasLongTexts, size } = known;
    const [[matching, sampled]] = await read(
      plan,
      sampleFileSets(plan, hasLongTexts, size),
      options,
    );
    const share = Number(matching) / Math.max(Number(sampled), 1);
    return Number((share * Math.max(size, Number(sampled))).toPrecision(2));
  }

  return {
    async count(plan, options) {
      const count = countFileSets(plan, known.hasLongTexts);
      if (await isTooMuch(plan, count, options)) {
        return { rows: await estimate(plan, options), isEstimate: true };
      }
      return { rows: (await read(plan, count, options))[0][0] as number, isEstimate: false };
    },

    tally: (asked, _all, options) =>
      searchRows(searches, tallyOfFileSets(asked, known.hasLongTexts), options),

    async page(plan, options) {
      const { hasLongTexts } = known;
      const counts = { matching: options.matching, all: Math.max(known.size, options.matching) };
      const search = searchName(plan, options.version);
      const ids = await walks.idsOf(search, plan, readOn, options.signal);
      const page = ids ? fileSetsOf(ids) : pageOfFileSets(plan, counts, hasLongTexts);
      const rows = (await read(plan, page, options)).map(([json]) => json as string);
      walks.note(search, plan, rows);
      return { json: rows.join(","), count: rows.length };

      async function readOn(row: string, count: number): Promise<string[]> {
        let ids: string[] = [];
        for (const place of placesBehind(plan.sort, JSON.parse(row) as FileSet)) {
          const rest = { ...plan, offset: 0, limit: count - ids.length };
          const { text, values } = idsOfFileSets(rest, counts, hasLongTexts, place);
          // As one text: reading tens of thousands of rows would keep everybody else waiting.
          const joined = `SELECT string_agg(id, ',') FROM (${text}) AS found`;
          const [[found]] = await read(plan, { text: joined, values }, options);
          if (found !== null) ids = ids.concat((found as string).split(","));
          if (ids.length === count) break;
        }
        return ids;
      }
    },
  };
}
