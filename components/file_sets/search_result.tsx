import { DEFAULT_LIMIT } from "../../lib/request.ts";
import type { FileSetPage } from "../../lib/types.ts";
import { atOffset, fileSetsHref, type FileSetsView } from "./file_sets_view.ts";
import { formatCount } from "../ui/format.ts";
import type { PagePosition } from "../ui/pager.tsx";
import { dateFilterWords, filterWords, orderWords } from "./search_words.ts";

/** Where the page really is: the service may have chosen another limit than was asked for. */
export function positionOf(page: FileSetPage, view: FileSetsView): PagePosition {
  const { offset, limit, total } = page.pageContext;
  return {
    start: offset ?? view.offset ?? 0,
    count: page.fileSets.length,
    limit: limit ?? view.limit ?? DEFAULT_LIMIT,
    total: total ?? null,
  };
}

/**
 * What a search found, such as `37 of 1,204 file sets, owner is not 27, newest created first, 1 to
 * 37 shown`.
 */
export function resultWords(
  view: FileSetsView,
  { start, count, total }: PagePosition,
  all: number | null,
): string {
  const { filters = [], dateFilters = [], fieldSort = [] } = view.body;
  const found = total === null ? [] : [
    `${formatCount(total)}${all === null ? "" : ` of ${formatCount(all)}`} ${
      (all ?? total) === 1 ? "file set" : "file sets"
    }`,
  ];
  const shown = count === 0
    ? "none shown"
    : `${formatCount(start + 1)} to ${formatCount(start + count)} shown`;
  return [
    ...found,
    ...filters.map(filterWords),
    ...dateFilters.map(dateFilterWords),
    ...(fieldSort.length > 0 ? [orderWords(fieldSort)] : []),
    shown,
  ].join(", ");
}

/** Stands where a page has no file sets, and says why. */
export function NothingFound(
  { view, position }: { readonly view: FileSetsView; readonly position: PagePosition },
) {
  const { filters = [], dateFilters = [] } = view.body;
  return (
    <div class="empty">
      {position.start > 0 && position.total !== 0
        ? (
          <p>
            This page is past the last file set.{" "}
            <a href={fileSetsHref(atOffset(view, 0))}>Go to the first page</a>
          </p>
        )
        : filters.length + dateFilters.length > 0
        ? (
          <p>
            No file set matches all of this. Remove a condition above, or{" "}
            <a href="/filesets">show all file sets</a>.
          </p>
        )
        : <p>There are no file sets yet.</p>}
    </div>
  );
}
