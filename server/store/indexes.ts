/**
 * The indexes that sorting needs: one for every field and direction, with the id as tie-breaker.
 */
import type { SortKey } from "./search/plan.ts";
import { FIELDS } from "./fields.ts";

/**
 * All of them. The id's index comes with its uniqueness. Descending order has its own ones: read
 * backwards, an ascending index gives equal rows in descending order of id.
 */
export const FILE_SET_INDEXES: readonly (SortKey & { readonly name: string })[] = FIELDS
  .filter((field) => field.name !== "id")
  .flatMap((field) => [
    { name: `file_sets_by_${field.column}`, field, descending: false },
    { name: `file_sets_by_${field.column}_desc`, field, descending: true },
  ]);
