import type { FieldSort } from "../../../lib/types.ts";
import { changed, fileSetsHref, type FileSetsView, withBody, without } from "../file_sets_view.ts";
import { formatDateFilter, formatFilter, formatSortKey } from "./search_text.ts";

/** The conditions and sort keys of a search. Each one can be negated or reversed, and removed. */
export function SearchChips({ view }: { readonly view: FileSetsView }) {
  const { filters = [], dateFilters = [], fieldSort = [] } = view.body;
  const chips = [
    ...filters.map((filter, index) => ({
      text: formatFilter(filter),
      action: "Negate",
      changed: changed(view, "filters", index, { ...filter, not: !filter.not }),
      removed: without(view, "filters", index),
    })),
    ...dateFilters.map((filter, index) => ({
      text: formatDateFilter(filter),
      action: "Negate",
      changed: changed(view, "dateFilters", index, { ...filter, not: !filter.not }),
      removed: without(view, "dateFilters", index),
    })),
    ...fieldSort.map((key, index) => ({
      text: `sorted by ${formatSortKey(key)}`,
      action: "Reverse",
      changed: changed(view, "fieldSort", index, reversed(key)),
      removed: without(view, "fieldSort", index),
    })),
  ];
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label="This search">
      {chips.map(({ text, action, changed, removed }, index) => (
        <li key={`${index} ${text}`} class="chip">
          <a href={fileSetsHref(changed)} aria-label={`${action}: ${text}`} title={action}>
            {text}
          </a>
          <a href={fileSetsHref(removed)} aria-label={`Remove: ${text}`} class="cross">×</a>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <a href={fileSetsHref(withBody(view, {}))}>Clear all</a>
        </li>
      )}
    </ul>
  );
}

function reversed({ field, order }: FieldSort): FieldSort {
  return { field, order: order === "DESC" ? "ASC" : "DESC" };
}
