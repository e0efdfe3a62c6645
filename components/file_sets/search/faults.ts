/** Names the parts of a search that the service refuses, and links to the search without them. */
import { formatCount } from "../../../lib/format.ts";
import { FILE_SET_QUERY as table } from "../../../lib/search/query_table.ts";
import { type ShownSearch, withBody } from "../../search/page_view.ts";
import type { UsableSearch } from "../../search/search_form_view.tsx";
import { formatDateFilter, formatFilter, formatSortKey } from "../../search/search_words.ts";
import { fileSetsHref } from "../file_sets_view.ts";

interface Fault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly detail: string;
}

/** The issues, named after the conditions that they are about, and a search that is valid. */
export function faultsOf(view: ShownSearch, issues: readonly Fault[], maxLimit: number): {
  readonly named: readonly Fault[];
  readonly usable: UsableSearch;
} {
  const { filters = [], dateFilters = [], fieldSort = [] } = view.body;
  const texts = new Map<string, string>([
    ...filters.map((each, at) => [`/filters/${at}`, formatFilter(each, { table })] as const),
    ...dateFilters.map((each, at) =>
      [`/dateFilters/${at}`, formatDateFilter(each, { table, zone: "UTC" })] as const
    ),
    ...fieldSort.map((each, at) => [`/fieldSort/${at}`, formatSortKey(each, table)] as const),
  ]);
  const bad = new Set<string>();
  const named = issues.map((issue) => {
    const [, place = "", member] = /^(\/\w+\/\d+)(?:\/(\w+))?/.exec(issue.pointer ?? "") ?? [];
    const text = texts.get(place);
    if (text === undefined) return issue;
    bad.add(place);
    return { ...issue, parameter: member ? `“${text}”, ${member}` : `“${text}”` };
  });
  const kept = <Each>(name: string, all: readonly Each[]) =>
    all.filter((_, at) => !bad.has(`/${name}/${at}`));
  const body = {
    filters: kept("filters", filters),
    dateFilters: kept("dateFilters", dateFilters),
    fieldSort: kept("fieldSort", fieldSort),
  };
  const { limit, ...rest } = view;
  const isTooLarge = limit !== undefined && limit > maxLimit;
  const usable = { ...rest, ...limit === undefined ? {} : { limit: Math.min(limit, maxLimit) } };
  return {
    named,
    usable: isTooLarge && bad.size === 0
      ? { href: fileSetsHref(usable), text: `Search with ${formatCount(maxLimit)} a page` }
      : { href: fileSetsHref(withBody(usable, body)), text: "Search without it" },
  };
}
