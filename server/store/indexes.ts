/**
 * The indexes that sorting needs: one for every field and direction, with the id as tie-breaker.
 *
 * @module
 */

import type { SortKey } from "./check.ts";
import { FIELDS } from "./fields.ts";

/** An index of the file sets on one field and then the id. */
export interface FileSetIndex extends SortKey {
  /** Its name in the database. */
  readonly name: string;
}

/**
 * All of them; the id's own comes with its being unique. Read backwards, an ascending index gives
 * equal rows in descending order of id. Where few rows are equal the engines put those right; where
 * many are, descending order has an index of its own.
 */
export const FILE_SET_INDEXES: readonly FileSetIndex[] = FIELDS
  .filter((field) => field.name !== "id")
  .flatMap((field) => {
    const name = `file_sets_by_${field.column}`;
    const up = { name, field, descending: false };
    return field.hasManyTies ? [up, { name: `${name}_desc`, field, descending: true }] : [up];
  });
