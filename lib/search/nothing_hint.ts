/** Guesses what was meant by a search that finds nothing. */
import type { Filter } from "../types.ts";
import { fieldOf, type QueryTable } from "./query_table.ts";

/** A hint for the filters of a search that nothing matches; empty if there is none. */
export function nothingHint(filters: readonly Filter[], table: QueryTable): string {
  const exact = filters.find(({ field, operator = "EQUALS", not }) =>
    operator === "EQUALS" && !not && fieldOf(table, field)?.kind === "string"
  );
  if (!exact) return "";
  const { name } = fieldOf(table, exact.field)!;
  return `The whole value of ${name} has to match, in the same case. ` +
    `For a part, in any case, write ${name}:~ and the text.`;
}
