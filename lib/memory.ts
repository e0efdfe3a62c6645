/**
 * What a walk remembers of the rows it has read, to know them when they come again.
 *
 * @module
 */

import { IdSet } from "./id_set.ts";

type Id = string | number;

/** Which rows of a page are new. */
export interface Sifted {
  /** For each row whether it is new; undefined when all are. */
  readonly isNew: readonly boolean[] | undefined;
  /** Number of new rows. */
  readonly newCount: number;
}

/** What a walk remembers. */
export interface Memory {
  /** Number of different rows so far. */
  readonly count: number;
  /**
   * Takes in a page and tells which of its rows are new.
   *
   * @param ids Ids of the page's rows.
   * @returns What is new.
   */
  sift(ids: readonly Id[]): Sifted;
}

/**
 * Remembers every row, for a walk by row: no row is handed over twice.
 *
 * @param last Ids of the rows that an earlier walk handed over last.
 * @param count How many rows it handed over.
 * @returns The memory.
 */
export function rememberAll(last: readonly Id[], count: number): Memory {
  const seen = new IdSet(last);
  const earlier = count - seen.size;
  return {
    get count() {
      return earlier + seen.size;
    },
    sift(ids) {
      let newCount = 0;
      let isNew: boolean[] | undefined;
      for (let index = 0; index < ids.length; index++) {
        const fresh = seen.add(ids[index]);
        if (fresh) newCount++;
        // Marks are only made from the first repeated row on.
        else isNew ??= Array(index).fill(true);
        isNew?.push(fresh);
      }
      return { isNew, newCount };
    },
  };
}

/**
 * Remembers the last row, and the first row of each page, for a walk by page: enough to notice rows
 * that moved and pages that come again, at hardly any cost.
 *
 * @param last Ids of the rows that an earlier walk handed over last.
 * @param count How many rows it handed over.
 * @returns The memory.
 */
export function rememberEdges(last: readonly Id[], count: number): Memory {
  const firsts = new IdSet();
  let previous = last.at(-1);
  let rows = count;
  return {
    get count() {
      return rows;
    },
    sift(ids) {
      if (ids.length === 0) return { isNew: undefined, newCount: 0 };
      // Whatever stands before the row that was last has been read, unless the order changed.
      const until = previous === undefined ? -1 : ids.lastIndexOf(previous);
      const isOther = firsts.add(ids[0]);
      const repeated = until < 0 && !isOther ? ids.length : until + 1;
      const newCount = ids.length - repeated;
      previous = ids[ids.length - 1];
      rows += newCount;
      return {
        isNew: repeated === 0 ? undefined : ids.map((_, index) => index >= repeated),
        newCount,
      };
    },
  };
}
