/**
 * Queries for the full-text table of trigrams: the three characters that begin at each place of a
 * text. It finds texts of three characters or more without visiting every file set.
 */
import type { StoredField } from "../fields.ts";
import type { SearchPlan } from "../search/plan.ts";
import { foldCase, hasTrigram } from "../text.ts";

/** The query that finds exactly what a search finds, when the table can answer it. */
export function exactQuery(
  { conditions, dateRanges }: Pick<SearchPlan, "conditions" | "dateRanges">,
): string | undefined {
  if (conditions.length === 0 || dateRanges.length > 0) return undefined;
  const queries = conditions.map(({ comparison, not, field, values }) =>
    comparison === "contains" && !not
      ? textsQuery(field, values.map((value) => foldCase(String(value))))
      : undefined
  );
  return queries.includes(undefined) ? undefined : queries.join(" AND ");
}

/** The query for any of several texts in a field, when each is long enough. */
export function textsQuery(field: StoredField, values: readonly string[]): string | undefined {
  if (!field.hasTrigrams || !values.every(hasTrigram)) return undefined;
  return `{${field.folded}} : (${values.map(quoted).join(" OR ")})`;
}

/** A text as the table finds it: all its trigrams, one after the other. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
