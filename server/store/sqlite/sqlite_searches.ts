/**
 * Where searches run: short ones at once, and all others in readers, so that no search keeps the
 * program from answering anybody else.
 */
import type { DatabaseSync } from "node:sqlite";
import { DatabaseError } from "../database_error.ts";
import type { Engine, JsonList, PageOptions, QueryOptions } from "../engine.ts";
import type { Row } from "../stored_rows.ts";
import { type Counts, listOf, type Sql } from "../sql.ts";
import type { SearchPlan } from "../search/plan.ts";
import {
  costOfCount,
  costOfEntries,
  costOfLookup,
  costOfOrder,
  costOfPage,
  costOfRows,
  costOfTally,
  INSTANT_US,
  LONG_US,
} from "./cost.ts";
import { createOrders, type Order } from "./orders.ts";
import { attempt } from "./sqlite_errors.ts";
import {
  countFileSets,
  fileSetsOf,
  findFileSets,
  type Guard,
  isWalked,
  MOST_LOOKED_UP,
  orderOfFileSets,
  pageOfFileSets,
  STOPPABLE,
  tallyOfFileSets,
  UNSTOPPABLE,
} from "./search_statements.ts";
import type { Readers } from "./readers.ts";
import type { Statements } from "./statements.ts";
import { countEach, createLookups } from "./trigrams.ts";

/** No other connection sees a database in memory: its searches block, and may not take longer. */
const IN_MEMORY_MS = 1000;

/** A way to a page that is not worth knowing the order of everything. */
const SHORT_WAY_US = 500;

/** The searches of a database; without readers if it is in memory. */
export function searchesOf(
  db: DatabaseSync,
  statements: Statements,
  readers: Readers | null,
): Pick<Engine, "count" | "page" | "tally"> {
  const orders = createOrders();
  const lookupOf = createLookups();
  let end = Infinity;
  db.function("alive", () => {
    if (performance.now() < end) return 1;
    throw new DatabaseError("timeout", "", "it is in memory, where searches can't be long");
  });

  function readBlocking(sql: Sql): readonly Row[] {
    end = performance.now() + IN_MEMORY_MS;
    try {
      return statements.readStoppable(sql);
    } finally {
      end = Infinity;
    }
  }

  function read(
    query: (guard: Guard) => Sql,
    costUs: number,
    options: QueryOptions,
  ): Promise<readonly Row[]> {
    if (costUs <= INSTANT_US) return attempt(() => statements.read(query(UNSTOPPABLE)));
    const sql = query(STOPPABLE);
    if (!readers) return attempt(() => readBlocking(sql));
    return attempt(() => readers.read(sql, { ...options, isLong: costUs > LONG_US }));
  }

  /** The order of everything that matches, once it costs less than the pages that were read. */
  async function orderOf(
    plan: SearchPlan,
    counts: Counts,
    way: number,
    options: PageOptions,
  ): Promise<Order | undefined> {
    const { version } = options;
    const known = orders.get(plan, version);
    const cost = costOfOrder(plan, counts);
    if (known || !readers || orders.addWork(plan, version, way) < cost) return known;
    const order = await attempt(() =>
      readers.readNumbers(orderOfFileSets(plan, STOPPABLE), { ...options, isLong: cost > LONG_US })
    );
    orders.set(plan, version, order);
    return order;
  }

  /** The pages of searches that were found as their matches were counted. */
  const found = new WeakMap<SearchPlan, JsonList>();

  return {
    async count(plan, options) {
      const all = await attempt(statements.lastKey);
      const data = { all, version: options.version };
      const lookup = await lookupOf(plan, data, async (queries, most) => {
        const cost = costOfEntries(queries.length * most);
        const [counts] = await read((guard) => countEach(queries, most, guard), cost, options);
        return counts as readonly number[];
      });
      if (lookup && lookup.rows <= MOST_LOOKED_UP) {
        const cost = costOfLookup(lookup, plan.limit);
        const [[rows, json]] = await read(
          (guard) => findFileSets(plan, lookup, guard),
          cost,
          options,
        ) as readonly (readonly [number | null, string])[];
        if (rows !== null) {
          found.set(plan, { json, count: Math.min(plan.limit, Math.max(0, rows - plan.offset)) });
          return { rows, isEstimate: false };
        }
      }
      const cost = costOfCount(plan, all);
      const [[rows]] = await read((guard) => countFileSets(plan, guard), cost, options);
      return { rows: rows as number, isEstimate: false };
    },
    async tally(asked, all, options) {
      return await read((guard) => tallyOfFileSets(asked, guard), costOfTally(asked, all), options);
    },
    async page(plan, options) {
      const known = found.get(plan);
      if (known) return known;
      const counts = { matching: options.matching, all: await attempt(statements.lastKey) };
      const cost = costOfPage(plan, counts, isWalked(plan, counts));
      // What it takes to get to the page, beside reading its rows.
      const way = cost - costOfRows(plan.limit);
      const order = way > SHORT_WAY_US ? await orderOf(plan, counts, way, options) : undefined;
      const keys = order?.subarray(plan.offset, plan.offset + plan.limit);
      const [[json, count]] = keys
        ? await read(() => listOf(fileSetsOf(keys)), costOfRows(keys.length), options)
        : await read((guard) => listOf(pageOfFileSets(plan, counts, guard)), cost, options);
      return { json: json as string, count: count as number };
    },
  };
}
