/** Searches on PostgreSQL: their totals and their pages. */

// @ts-types="@types/pg"
import type pg from "pg";
import type { FileSet } from "../../../lib/types.ts";
import type { Engine, QueryLimits } from "../engine.ts";
import { idsOf, searchName, type SearchPlan } from "../search/plan.ts";
import { placesBehind, type Sql } from "../sql.ts";
import { searchRows } from "./connection.ts";
import {
  countFileSets,
  fileSetsOf,
  idsOfFileSets,
  pageOfFileSets,
  tallyOfFileSets,
} from "./read.ts";
import { createWalks } from "./walks.ts";

export interface Known {
  /** Whether a text is longer than what its index holds. */
  hasLongTexts: boolean;
  /** How many there are, roughly. */
  size: number;
}

export function searchesOf(
  { searches, lookups }: { readonly searches: pg.Pool; readonly lookups: pg.Pool },
  known: Readonly<Known>,
): Pick<Engine, "count" | "page" | "tally"> {
  const walks = createWalks();

  function read(plan: SearchPlan, sql: Sql, options: QueryLimits): Promise<unknown[][]> {
    return searchRows(idsOf(plan) === undefined ? searches : lookups, sql, options);
  }

  return {
    async count(plan, limits) {
      const count = countFileSets(plan, known.hasLongTexts);
      return (await read(plan, count, limits))[0][0] as number;
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
      return rows;

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
