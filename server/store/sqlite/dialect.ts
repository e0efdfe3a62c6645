/**
 * What SQLite writes in its own way.
 *
 * @module
 */

import type { Dialect } from "../sql.ts";

/** SQLite's part of the SQL. */
export const SQLITE: Dialect = {
  contains: (field) => `instr(${field.folded}, ?) > 0`,
};
