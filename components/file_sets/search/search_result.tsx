import { formatCount } from "../../../lib/format.ts";
import { DEFAULT_LIMIT } from "../../../lib/client/backend.ts";
import type { FileSetPage } from "../../../lib/types.ts";
import { atOffset, fileSetsHref } from "../file_sets_view.ts";
import { Empty } from "../../ui/data_table.tsx";
import type { PagePosition } from "../../ui/pager.tsx";
import { FILE_SET_QUERY as table, nothingHint } from "../../../lib/search/query_table.ts";
import { listConditions } from "../../search/conditions.ts";
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

/** Such as `37 of 1,204 file sets, 1 to 37 shown`. */
export function Result({ position: { start, count, total }, all }: {
  readonly position: PagePosition;
  readonly all: number | null;
}) {
  const shown = count === 0
    ? start > 0 ? "none on this page" : "none shown"
    : start === 0 && count === 1
    ? "1 shown"
    : `${formatCount(start + 1)} to ${formatCount(start + count)} shown`;
  if (total === null) return <>{shown}</>;
  const noun = (all ?? total) === 1 ? "file set" : "file sets";
  return (
    <>
      {formatCount(total)}
      {all !== null && ` of ${formatCount(all)}`} {noun}
      {/* The pager shows it. */}
      <span class="unseen">, {shown}</span>
    </>
  );
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
