/** Guesses what was meant by a search that finds nothing. */
import type { Filter } from "../types.ts";
import { fieldKind } from "../fields.ts";

/** A hint for the filters of a search that nothing matches; empty if there is none. */
export function nothingHint(filters: readonly Filter[]): string {
  if (filters.some(({ operator, value }) => operator === "LIKE" && value?.[0] === "OR")) {
    return "For one of several values, write owner:Finance,Legal.";
  }
  const exact = filters.find(({ field, operator = "EQUALS", not }) =>
    operator === "EQUALS" && !not && fieldKind(field) !== "integer"
  );
  return exact
    ? `The whole value of ${exact.field} has to match, in the same case. ` +
      `For a part, in any case, write ${exact.field}:~ and the text.`
    : "";
}
