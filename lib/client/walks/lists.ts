/** The two lists of the interface, and walks over them with any backend. */
import {
  type Backend,
  DEFAULT_LIMIT,
  type HistoryOptions,
  type SearchOptions,
} from "../backend.ts";
import { walk } from "./paging.ts";
import { searchBodyText } from "../transport/request.ts";
import type { FileSet, FileSetPage, ReportRun, SearchInput } from "../../types.ts";
import type { PageSource, Walk, WalkOptions } from "./walk.ts";

/** How to read the pages of a list, independent of how they are requested. */
export type PagedList<Page, Item> = Pick<PageSource<Page, Item>, "read" | "getId" | "query">;

export function fileSetList(bodyText: string): PagedList<FileSetPage, FileSet> {
  return {
    read: ({ fileSets, pageContext }) => ({ ...pageContext, items: fileSets }),
    getId: ({ id }) => id,
    query: `search ${bodyText}`,
  };
}

export function runList(scheduleId: number): PagedList<readonly ReportRun[], ReportRun> {
  return {
    read: (runs) => ({ items: runs }),
    getId: ({ id }) => id,
    query: `history ${scheduleId}`,
  };
}

/** Options of a walk over a backend, without a deadline: a backend has its own limits. */
type BackendWalkOptions = Omit<WalkOptions, "deadlineMs">;

export function walkFileSets(
  backend: Backend,
  body: SearchInput = {},
  options: SearchOptions & BackendWalkOptions = {},
): Walk<FileSetPage, FileSet> {
  const { limit = DEFAULT_LIMIT, offset = 0 } = options;
  return walk({
    ...fileSetList(searchBodyText(body)),
    getPage: (page) => backend.fileSets.search(body, page),
    limit,
    offset,
  }, options);
}

export function walkHistory(
  { reportSchedules }: Backend,
  scheduleId: number,
  options: HistoryOptions & BackendWalkOptions = {},
): Walk<readonly ReportRun[], ReportRun> {
  const { limit = DEFAULT_LIMIT, skip: offset = 0 } = options;
  return walk({
    ...runList(scheduleId),
    getPage: ({ offset: skip, ...page }) => reportSchedules.history(scheduleId, { ...page, skip }),
    limit,
    offset,
  }, options);
}
