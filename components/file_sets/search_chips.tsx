import { fileSetsHref, type FileSetsView, withBody, without } from "./file_sets_view.ts";
import { formatDateFilter, formatFilter, formatSortKey } from "./search_text.ts";

/** The conditions and sort keys of a search. Each one is a link that removes it. */
export function SearchChips({ view }: { readonly view: FileSetsView }) {
  const { filters = [], dateFilters = [], fieldSort = [] } = view.body;
  const chips = [
    ...filters.map((filter, at) => ({
      text: formatFilter(filter),
      href: fileSetsHref(without(view, "filters", at)),
    })),
    ...dateFilters.map((filter, at) => ({
      text: formatDateFilter(filter),
      href: fileSetsHref(without(view, "dateFilters", at)),
    })),
    ...fieldSort.map((key, at) => ({
      text: `sorted by ${formatSortKey(key)}`,
      href: fileSetsHref(without(view, "fieldSort", at)),
    })),
  ];
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label="This search">
      {chips.map(({ text, href }, at) => (
        <li key={`${at} ${text}`}>
          <a class="chip" href={href} title={`Remove: ${text}`}>
            <span class="unseen">Remove:</span>
            {text}
            <span aria-hidden="true" class="cross">×</span>
          </a>
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
