/** Gets what a view of file sets shows: the same on the server and in the browser. */
import type { Backend } from "../lib/backend.ts";
import { factsOfFileSets, type FileSetFacts } from "../lib/file_set_facts.ts";
import type { FileSet, FileSetPage } from "../lib/types.ts";
import type { FileSetsView } from "./file_sets_view.ts";
import type { Trouble } from "./notice.tsx";
import { FIELDS } from "./search_words.ts";
import { faultWords } from "./trouble.ts";
import type { SearchFault } from "../lib/search_url.ts";

/** Facts are computed of at most so many file sets. */
export const FACTS_LIMIT = 1000;

/** A view of file sets and what came of it. */
export interface Shown {
  readonly view: FileSetsView;
  /** The page of the view; null where it could not be had. */
  readonly page: FileSetPage | null;
  /** Number of all file sets, where the search has conditions and the service says it. */
  readonly all: number | null;
  /** Facts of what the search matches, where they are asked for and could be had. */
  readonly facts: FileSetFacts | null;
  /** The file set that is open beside the table. */
  readonly opened: FileSet | null;
  readonly trouble: Trouble | null;
  /** What was typed into the form and could not be used, by the inputs' names. */
  readonly typed?: Readonly<Record<string, string>>;
}

/** A view of which nothing could be had, and why. */
export function nothingShown(view: FileSetsView, trouble: Trouble): Shown {
  return { view, page: null, all: null, facts: null, opened: null, trouble };
}

/** What is wrong with a link or a form, for people. */
export function unreadable(faults: readonly SearchFault[]): Trouble {
  return {
    title: "This can't be searched for",
    detail: "What has to be mended:",
    faults: faults.map(faultWords),
  };
}

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
