/** Gets what a view of file sets shows: the same on the server and in the browser. */
import type { Backend } from "../../lib/backend.ts";
import { factsOfFileSets } from "../../lib/file_set_facts.ts";
import type { FileSet } from "../../lib/types.ts";
import type { FileSetsView } from "./file_sets_view.ts";
import { FIELDS } from "./search_words.ts";
import type { Shown } from "./shown_file_sets.ts";

/** Facts are computed of at most so many file sets. */
export const FACTS_LIMIT = 1000;

/**
 * Gets what a view shows. Without the page itself nothing can be shown, so only its error is thrown;
 * what stands beside it is left out when it can't be had.
 */
export async function loadFileSets(
  backend: Backend,
  view: FileSetsView,
  signal: AbortSignal,
): Promise<Shown> {
  const { body, limit, offset, open } = view;
  const hasConditions = Boolean(body.filters?.length || body.dateFilters?.length);
  const [page, all, sample] = await Promise.all([
    backend.fileSets.search(body, { limit, offset, signal }),
    hasConditions ? orNull(backend.fileSets.search({}, { limit: 1, signal })) : null,
    view.facts ? orNull(backend.fileSets.search(body, { limit: FACTS_LIMIT, signal })) : null,
  ]);
  return {
    view,
    page: { pageContext: page.pageContext, fileSets: page.fileSets.map(knownFields) },
    all: all?.pageContext.total ?? null,
    facts: sample && factsOfFileSets(sample.fileSets),
    opened: open ? await findFileSet(backend, open, page.fileSets, signal) : null,
    trouble: null,
  };
}

/** A file set by its id: among those at hand, else by a search where only that id counts. */
async function findFileSet(
  backend: Backend,
  id: string,
  atHand: readonly FileSet[],
  signal: AbortSignal,
): Promise<FileSet | null> {
  const isWanted = (fileSet: FileSet) => fileSet.id === id;
  const found = atHand.find(isWanted);
  if (found) return knownFields(found);
  const filters = [{ field: "id", operator: "EQUALS", value: [id] }];
  const page = await orNull(backend.fileSets.search({ filters }, { limit: 1, signal }));
  const foundElsewhere = page?.fileSets.find(isWanted);
  return foundElsewhere ? knownFields(foundElsewhere) : null;
}

/** The interface's own fields: what else a service sends may not be for the page's source. */
function knownFields(fileSet: FileSet): FileSet {
  const known = FIELDS.filter((field) => fileSet[field] !== undefined);
  return Object.fromEntries(known.map((field) => [field, fileSet[field]])) as unknown as FileSet;
}

async function orNull<T>(promise: PromiseLike<T>): Promise<T | null> {
  try {
    return await promise;
  } catch {
    return null;
  }
}
