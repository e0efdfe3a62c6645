/** Names the parts of a search that the service refuses, and links to the search without them. */
import { formatCount } from "../../../lib/format.ts";
import { FILE_SET_QUERY as table } from "../../../lib/search/query_table.ts";
import { type ShownSearch, withBody } from "../../search/page_view.ts";
import type { UsableSearch } from "../../search/search_form_view.tsx";
import { formatCondition, formatSortKey } from "../../search/search_words.ts";
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
  const words = { table, zone: "UTC" };
  const texts: Readonly<Record<string, readonly string[]>> = {
    filters: filters.map((each) => formatCondition(each, words)),
    dateFilters: dateFilters.map((each) => formatCondition(each, words)),
    fieldSort: fieldSort.map((each) => formatSortKey(each, table)),
  };
  const bad = new Set<string>();
  const named = issues.map((issue) => {
    const [, list = "", at, member] = /^\/(\w+)\/(\d+)(?:\/(\w+))?/.exec(issue.pointer ?? "") ?? [];
    const text = texts[list]?.[Number(at)];
    if (text === undefined) return issue;
    bad.add(`/${list}/${at}`);
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
