import { fileSetsHref, type FileSetsView, withBody, without } from "./file_sets_view.ts";
import { dateFilterWords, filterWords, sortWords } from "./search_words.ts";

/** The conditions and sort keys of a search as sentences; each is a link that takes it away. */
export function SearchChips({ view }: { readonly view: FileSetsView }) {
  const { filters = [], dateFilters = [], fieldSort = [] } = view.body;
  const chips = [
    ...filters.map((filter, at) => ({
      words: filterWords(filter),
      href: fileSetsHref(without(view, "filters", at)),
    })),
    ...dateFilters.map((filter, at) => ({
      words: dateFilterWords(filter),
      href: fileSetsHref(without(view, "dateFilters", at)),
    })),
    ...fieldSort.map((key, at) => ({
      words: `sorted by ${sortWords(key)}`,
      href: fileSetsHref(without(view, "fieldSort", at)),
    })),
  ];
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label="This search">
      {chips.map(({ words, href }, at) => (
        <li key={`${at} ${words}`}>
          <a class="chip" href={href} title={`Remove: ${words}`}>
            <span class="unseen">Remove:</span>
            {words}
            <span aria-hidden="true" class="cross">×</span>
          </a>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <a href={fileSetsHref(withBody(view, {}))}>Remove all</a>
        </li>
      )}
    </ul>
  );
}
