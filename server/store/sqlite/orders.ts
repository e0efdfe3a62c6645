/**
 * A cache of the orders of whole searches, while the data doesn't change. A caller that reads page
 * by page, as exports do, then has everything sorted once, and not once for each page.
 */
import { searchName, type SearchPlan } from "../search/plan.ts";

/** The most memory for kept orders: a search of 1,000,000 file sets takes 8 MB. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The keys of all that a search matches, in order. */
export type Order = Float64Array;

/** Of how many searches the work is added up. */
const MOST_SEARCHES = 1000;

export function createOrders(mostBytes = MOST_BYTES) {
  const known = new Map<string, Order>();
  const work = new Map<string, number>();
  let bytes = 0;

  function remove(name: string): void {
    bytes -= known.get(name)?.byteLength ?? 0;
    known.delete(name);
  }

  return {
    /** The order of a search at that version of the data, where it is known. */
    get(plan: SearchPlan, version: string): Order | undefined {
      const name = searchName(plan, version);
      const order = known.get(name);
      if (order) {
        known.delete(name);
        known.set(name, order);
      }
      return order;
    },
    set(plan: SearchPlan, version: string, order: Order): void {
      const name = searchName(plan, version);
      remove(name);
      if (order.byteLength > mostBytes) return;
      // Orders of an older version are never asked for again.
      for (const other of known.keys()) {
        if (bytes + order.byteLength > mostBytes || !other.startsWith(`${version} `)) remove(other);
      }
      known.set(name, order);
      bytes += order.byteLength;
    },
    /** Adds the work for one page of a search, and gives that for all its pages so far. */
    addWork(plan: SearchPlan, version: string, more: number): number {
      const name = searchName(plan, version);
      const all = (work.get(name) ?? 0) + more;
      work.delete(name);
      if (work.size >= MOST_SEARCHES) work.delete(work.keys().next().value!);
      work.set(name, all);
      return all;
    },
  };
}
