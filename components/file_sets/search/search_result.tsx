import { formatCount } from "../../../lib/format.ts";
import { DEFAULT_LIMIT } from "../../../lib/backend.ts";
import { ALL_FILE_SETS, atOffset, fileSetsHref, type FileSetsView } from "../file_sets_view.ts";
import { Empty } from "../../ui/empty.tsx";
import { formatTotal, type PagePosition } from "../../ui/pager.tsx";
import type { ShownPage } from "./search_state.ts";
import { nothingHint } from "../../../lib/search/nothing_hint.ts";
import { formatDateFilter, formatFilter, formatOrder } from "./search_text.ts";

/** The position of a page. The service may have used another limit than was requested. */
export function positionOf(page: ShownPage, view: FileSetsView): PagePosition {
  const { offset, limit, total, estimatedTotal } = page.pageContext;
  return {
    start: offset ?? view.offset ?? 0,
    count: page.count,
    limit: limit ?? view.limit ?? DEFAULT_LIMIT,
    total: total ?? null,
    estimatedTotal,
  };
}

/**
 * A summary of the results, such as `37 of 1,204 file sets, owner is not 27, newest created first,
 * 1 to 37 shown`.
 */
export function formatResult(
  view: FileSetsView,
  position: PagePosition,
  all: number | null,
  zone: string,
): string {
  const { start, count } = position;
  const total = formatTotal(position);
  const { filters = [], dateFilters = [], fieldSort = [] } = view.body;
  const found = total === null ? [] : [
    `${total}${all === null ? "" : ` of ${formatCount(all)}`} ${
      (all ?? position.total) === 1 ? "file set" : "file sets"
    }`,
  ];
  const shown = count === 0
    ? "none shown"
    : start === 0 && count === 1
    ? "1 shown"
    : `${formatCount(start + 1)} to ${formatCount(start + count)} shown`;
  return [
    ...found,
    ...filters.map(formatFilter),
    ...dateFilters.map((filter) => formatDateFilter(filter, zone)),
    ...(fieldSort.length > 0 ? [formatOrder(fieldSort)] : []),
    shown,
  ].join(", ");
}

export function NothingFound(
  { view, position }: { readonly view: FileSetsView; readonly position: PagePosition },
) {
  const { filters = [], dateFilters = [] } = view.body;
  if (position.start > 0 && position.total !== 0) {
    return (
      <Empty>
        There are no more file sets.{" "}
        <a href={fileSetsHref(atOffset(view, 0))}>Go to the first page</a>
      </Empty>
    );
  }
  if (filters.length + dateFilters.length === 0) return <Empty>There are no file sets yet.</Empty>;
  return (
    <Empty>
      No file sets match. Remove a condition, or <a href={ALL_FILE_SETS}>show all file sets</a>.
      {" "}
      {nothingHint(filters)}
    </Empty>
  );
}
