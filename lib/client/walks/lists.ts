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
import type { PageRequest, PageSource, Walk, WalkOptions } from "./walk.ts";

/** How to read the pages of a list, independent of how they are requested. */
export type PagedList<Page, Item> = Pick<PageSource<Page, Item>, "read" | "getId" | "query">;

/** How to read pages of a search, given its body as text. */
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
export type BackendWalkOptions = Omit<WalkOptions, "deadlineMs">;

type BackendSource<Page, Item> = Omit<PageSource<Page, Item>, "limit" | "offset">;

export function fileSetSource(
  backend: Backend,
  body: SearchInput,
): BackendSource<FileSetPage, FileSet> {
  const getPage = (page: PageRequest) => backend.fileSets.search(body, page);
  return { ...fileSetList(searchBodyText(body)), getPage };
}

export function runSource(
  { reportSchedules }: Backend,
  scheduleId: number,
): BackendSource<readonly ReportRun[], ReportRun> {
  const getPage = ({ limit, offset, signal }: PageRequest) =>
    reportSchedules.history(scheduleId, { limit, skip: offset, signal });
  return { ...runList(scheduleId), getPage };
}

/** Walks over every file set that matches, over any backend. */
export function walkFileSets(
  backend: Backend,
  body: SearchInput = {},
  options: SearchOptions & BackendWalkOptions = {},
): Walk<FileSetPage, FileSet> {
  const { limit = DEFAULT_LIMIT, offset = 0 } = options;
  return walk({ ...fileSetSource(backend, body), limit, offset }, options);
}

export function walkHistory(
  backend: Backend,
  scheduleId: number,
  options: HistoryOptions & BackendWalkOptions = {},
): Walk<readonly ReportRun[], ReportRun> {
  const { limit = DEFAULT_LIMIT, skip = 0 } = options;
  return walk({ ...runSource(backend, scheduleId), limit, offset: skip }, options);
}
