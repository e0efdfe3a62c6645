/** Loads a view of file sets, on the server and in the browser. */
import type { Backend } from "../../lib/client/backend.ts";
import { shorten } from "../../lib/format.ts";
import type { FileSet, PageContext } from "../../lib/types.ts";
import type { SearchState } from "./search/search_state.ts";
import { FIELDS } from "./search/search_text.ts";

/**
 * Loads a view. The total and the open file set are left out if they can't be loaded.
 *
 * @throws the error of loading the page itself
 */
export async function loadFileSets(
  backend: Backend,
  { view, query }: Pick<SearchState, "view" | "query">,
  signal: AbortSignal,
): Promise<SearchState> {
  const { body, limit, offset, open } = view;
  const hasConditions = Boolean(body.filters?.length || body.dateFilters?.length);
  const [page, all] = await Promise.all([
    backend.fileSets.search(body, { limit, offset, signal }),
    hasConditions ? orNull(backend.fileSets.search({}, { limit: 1, signal })) : null,
  ]);
  return {
    view,
    query,
    page: {
      pageContext: numbersOf(page.pageContext),
      count: page.fileSets.length,
      fileSets: page.fileSets.map(knownFields),
    },
    all: all?.pageContext.total ?? null,
    facets: null,
    opened: open ? await findFileSet(backend, open, page.fileSets, signal) : null,
    error: null,
  };
}

/** Finds a file set by id, on the page or by a search. */
async function findFileSet(
  backend: Backend,
  id: string,
  page: readonly FileSet[],
  signal: AbortSignal,
): Promise<FileSet | null> {
  const isWanted = (fileSet: FileSet) => fileSet.id === id;
  const found = page.find(isWanted);
  if (found) return knownFields(found);
  const filters = [{ field: "id", operator: "EQUALS", value: [id] }];
  const result = await orNull(backend.fileSets.search({ filters }, { limit: 1, signal }));
  const foundElsewhere = result?.fileSets.find(isWanted);
  return foundElsewhere ? knownFields(foundElsewhere) : null;
}

/** The most characters of one text in the page. */
const MAX_CHARACTERS = 1000;

/**
 * The documented fields only: other fields should not appear in the page's source. A service may send
 * texts of any length, and there are many rows.
 */
function knownFields(fileSet: FileSet): FileSet {
  const known: Record<string, unknown> = {};
  for (const field of FIELDS) {
    if (fileSet[field] !== undefined) known[field] = short(fileSet[field]);
  }
  return known as unknown as FileSet;
}

function short<T>(value: T): T | string {
  return typeof value === "string" ? shorten(value, MAX_CHARACTERS) : value;
}

/** Without `next`, which is not needed and may be any text. */
function numbersOf({ offset, limit, total }: PageContext): PageContext {
  return { offset, limit, total };
}

async function orNull<T>(promise: PromiseLike<T>): Promise<T | null> {
  try {
    return await promise;
  } catch {
    return null;
  }
}
