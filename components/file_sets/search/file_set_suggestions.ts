import type { Facets } from "../../../lib/search/facets.ts";
import { FILE_SET_QUERY } from "../../../lib/search/query_table.ts";
import type { FileSet, FileSetField } from "../../../lib/types.ts";
import type { Suggestion } from "../../search/condition_editor.tsx";
import { isNumber } from "../../search/search_words.ts";

const MAX_SUGGESTIONS = 50;

/** The values that were seen: those of the field's facet, then others of the rows that are shown. */
export function fileSetSuggestions(
  field: string,
  facets: Facets | null,
  rows: readonly FileSet[],
): Suggestion[] {
  const facet = facets?.facets.find((facet) => facet.field === field);
  const counted = facet?.options.flatMap(({ condition, count }) =>
    "value" in condition ? condition.value!.map((value) => ({ value, count })) : []
  );
  const offered = isNumber(FILE_SET_QUERY, field) ? [] : counted ?? [];
  const seen = rows.map((row) => row[field as FileSetField])
    .filter((value) => value !== null && value !== undefined && value !== "");
  const others = new Set(seen.map(String)).difference(new Set(offered.map(({ value }) => value)));
  return [...offered, ...[...others].slice(0, MAX_SUGGESTIONS).map((value) => ({ value }))];
}
