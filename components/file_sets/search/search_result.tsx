import { formatCount } from "../../../lib/format.ts";
import { DEFAULT_LIMIT } from "../../../lib/client/backend.ts";
import type { FileSetPage } from "../../../lib/types.ts";
import { atOffset, fileSetsHref } from "../file_sets_view.ts";
import { Empty } from "../../ui/data_table.tsx";
import type { PagePosition } from "../../ui/pager.tsx";
import { FILE_SET_QUERY as table, nothingHint } from "../../../lib/search/query_table.ts";
import { listConditions } from "../../search/conditions.ts";
import { formatCondition, formatSortKey } from "../../search/search_words.ts";
import type { ShownSearch } from "../../search/page_view.ts";
import { searchBodyText, searchRequest, toCurl } from "../../../lib/client/transport/request.ts";
import { type Code, type CodeTarget, writeScript } from "../../export/code.ts";

/** The position of a page. The service may have used another limit than requested. */
export function toPosition(
  { pageContext, fileSets }: FileSetPage,
  view: ShownSearch,
): PagePosition {
  const { offset, limit, total } = pageContext;
  return {
    start: offset ?? view.offset ?? 0,
    count: fileSets.length,
    limit: limit ?? view.limit ?? DEFAULT_LIMIT,
    total: total ?? null,
  };
}

/** Such as `37 of 1,204 file sets, owner is not 27, by created, descending, 1 to 37 shown`. */
export function Result({ view, position, all, zone }: {
  readonly view: ShownSearch;
  readonly position: PagePosition;
  readonly all: number | null;
  readonly zone: string;
}) {
  const { start, count, total } = position;
  const { body } = view;
  const shown = count === 0
    ? start > 0 ? "none on this page" : "none shown"
    : start === 0 && count === 1
    ? "1 shown"
    : `${formatCount(start + 1)} to ${formatCount(start + count)} shown`;
  const search = [
    ...listConditions(body).map((condition) => formatCondition(condition, { table, zone })),
    ...(body.fieldSort ?? []).map((key) => `by ${formatSortKey(key, table)}`),
  ];
  // The chips and the pager show what is unseen.
  const [seen, ...unseen] = total === null ? [shown, ...search] : [
    `${formatCount(total)}${all === null ? "" : ` of ${formatCount(all)}`} ${
      (all ?? total) === 1 ? "file set" : "file sets"
    }`,
    ...search,
    shown,
  ];
  return <>{seen}{unseen.length > 0 && <span class="unseen">{`, ${unseen.join(", ")}`}</span>}</>;
}

export function NothingFound(
  { view, position: { start, total } }: {
    readonly view: ShownSearch;
    readonly position: PagePosition;
  },
) {
  if (start > 0 && total !== 0) {
    return (
      <Empty>
        There are no more file sets. <a href={fileSetsHref(atOffset(view, 0))}>First page</a>
      </Empty>
    );
  }
  if (listConditions(view.body).length === 0) return <Empty>There are no file sets yet.</Empty>;
  return (
    <Empty>
      No file sets match. Remove a condition, or <a href="/filesets">show all file sets</a>.{" "}
      {nothingHint(view.body.filters ?? [], table)}
    </Empty>
  );
}

export function searchCode(view: ShownSearch, target: CodeTarget): Code {
  const { body, limit = DEFAULT_LIMIT, offset = 0 } = view;
  const { origin, tokenHeader } = target;
  const request = searchRequest(origin, searchBodyText(body), { limit, offset });
  return {
    link: origin + fileSetsHref(view),
    curl: toCurl({ ...request, tokenHeader }),
    script: asScript(view, target),
  };
}

function asScript({ body }: ShownSearch, target: CodeTarget): string {
  return writeScript(
    target,
    `for await (const fileSet of client.fileSets.search(${JSON.stringify(body, null, 2)})) {
  console.log(fileSet.id, fileSet.name);
}`,
  );
}
