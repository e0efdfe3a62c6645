import type { Facets } from "../../../lib/search/facets.ts";
import type { FileSet, PageContext } from "../../../lib/types.ts";
import { formatIssue } from "../../page/format_issue.ts";
import type { ErrorMessage } from "../../ui/error_notice.tsx";
import type { FileSetsView } from "../file_sets_view.ts";
import type { Draft } from "../filters/draft.ts";

export interface ShownPage {
  readonly pageContext: PageContext;
  readonly count: number;
  /** Its rows; left out of what is sent to browsers, which get the table as markup. */
  readonly fileSets?: readonly FileSet[];
}

/** A search instead of one that is not valid, as a link. */
export interface UsableSearch {
  readonly href: string;
  readonly text: string;
}

/** A view of file sets and its results. */
export interface SearchState {
  readonly view: FileSetsView;
  readonly query: string;
  /** The page of the view; null after an error. */
  readonly page: ShownPage | null;
  /** The number of all file sets, if the search has conditions and the service gives a total. */
  readonly all: number | null;
  /** What the search can be narrowed to; null until it is counted. */
  readonly facets: Facets | null;
  /** The file set that is open beside the table. */
  readonly opened: FileSet | null;
  readonly error: ErrorMessage | null;
  /** After an error: the search without what is not valid. */
  readonly usable?: UsableSearch;
  /** Input of the editor that could not be used. */
  readonly typed?: Draft;
}

/** A state as props of an island: without the rows, which stand in the page already. */
export function packState(state: SearchState): SearchState {
  const { page } = state;
  return page ? { ...state, page: { pageContext: page.pageContext, count: page.count } } : state;
}

export function failedSearch(
  view: FileSetsView,
  query: string,
  error: ErrorMessage,
): SearchState {
  return { view, query, page: null, all: null, facets: null, opened: null, error };
}

export function invalidSearch(issues: readonly Parameters<typeof formatIssue>[0][]): ErrorMessage {
  return {
    title: "This search is not valid",
    detail: "Please fix:",
    issues: issues.map(formatIssue),
  };
}
