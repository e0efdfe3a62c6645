/** Reads a list once, to an empty page, and notes contradictions. */
import { isCount } from "../check.ts";
import { type Backend, DEFAULT_LIMIT } from "../client/backend.ts";
import { searchBodyText } from "../client/transport/request.ts";
import { fileSetList, runList } from "../client/walks/lists.ts";
import { walk } from "../client/walks/paging.ts";
import type { PageRequest, PageSource } from "../client/walks/walk.ts";
import type { FileSet, ReportRun } from "../types.ts";
import type { AskedList } from "./question.ts";

export type ListedRow = FileSet | ReportRun;

/** What a list's reading noticed besides its rows. */
export interface ReadNotes {
  requests: number;
  total: number | null;
  readonly drift: Record<string, number>;
}

/** How a list is read. */
export interface ReadOptions {
  /** Rows on a page. Default: 100. */
  readonly limit?: number;
  /** Pages to request ahead. Default: 4. */
  readonly prefetch?: number;
  /** Aborts the reading. */
  readonly signal?: AbortSignal;
}

/**
 * Yields the rows of a list, page by page, and fills in the notes. Ends at an empty page only, whatever
 * total the service claims. The caller has to notice rows that come again.
 */
export function readList(
  backend: Backend,
  list: AskedList,
  notes: ReadNotes,
  options: ReadOptions,
): AsyncGenerator<readonly ListedRow[]> {
  if ("body" in list) {
    const getPage = (page: PageRequest) => backend.fileSets.search(list.body, page);
    return readPages({ ...fileSetList(searchBodyText(list.body)), getPage }, notes, options);
  }
  const { scheduleId } = list;
  const getPage = ({ limit, offset, signal }: PageRequest) =>
    backend.reportSchedules.history(scheduleId, { limit, skip: offset, signal });
  return readPages({ ...runList(scheduleId), getPage }, notes, options);
}

async function* readPages<Page>(
  source: Pick<PageSource<Page, ListedRow>, "getPage" | "read" | "query">,
  notes: ReadNotes,
  { limit = DEFAULT_LIMIT, prefetch = 4, signal }: ReadOptions,
): AsyncGenerator<readonly ListedRow[]> {
  const totals = new Set<number>();
  const pages = walk({
    ...source,
    idOf: ({ id }: ListedRow) => id,
    read: (page: Page) => {
      const { total, ...view } = source.read(page);
      if (isCount(total)) totals.add(notes.total = total);
      // Without a total, the walk goes on until a page is empty.
      return view;
    },
    limit,
    offset: 0,
  }, { verify: true, prefetch, ...(signal && { signal }) });
  let last: ListedRow["id"] | undefined;
  let rows = 0;
  for await (const page of pages.pages()) {
    const { items } = source.read(page);
    // Each page repeats the last row of the page before.
    const fresh = items[0]?.id === last ? items.slice(1) : items;
    last = items.at(-1)?.id ?? last;
    rows += fresh.length;
    notes.requests = pages.report.pages;
    yield fresh;
  }
  notes.requests = pages.report.pages;
  for (const { kind } of pages.report.drift) notes.drift[kind] = (notes.drift[kind] ?? 0) + 1;
  const wrong = [...totals].filter((total) => total !== rows).length;
  if (wrong > 0) notes.drift.total = wrong;
}
