/** A search on the page of file sets: its rows, facets, and the open file set. */
import type { Backend } from "../../lib/client/backend.ts";
import { cellText } from "../../lib/export.ts";
import { shorten } from "../../lib/format.ts";
import type { SearchedPage } from "../../lib/client/own_matching.ts";
import type { DateOptions } from "../../lib/search/date_ranges.ts";
import { facetQuestions, type Facets, toValueFacet } from "../../lib/search/facets.ts";
import { matchFileSets } from "../../lib/search/match_file_sets.ts";
import type { FileSet, SearchBody } from "../../lib/types.ts";
import { ProblemError } from "../http/problem.ts";
import type { Store } from "../store/store.ts";

/** With more file sets, a page shows the facets of its rows, which are there much sooner. */
const MOST_COUNTED = 20_000;

interface FileSetSearch {
  readonly body: SearchBody;
  readonly limit?: number;
  readonly offset?: number;
  /** The id of the open file set. */
  readonly open?: string;
}

interface SearchState {
  readonly backend: Backend;
  readonly services: { readonly store: Store | null };
}

type SearchOptions = Required<Pick<DateOptions, "zone" | "now">> & { readonly signal: AbortSignal };

/** Loads a search. What else can't be loaded is null; facets then count the rows. */
export async function loadFileSetSearch(
  { backend, services: { store } }: SearchState,
  { body, limit, offset, open }: FileSetSearch,
  options: SearchOptions,
) {
  const { signal } = options;
  const hasConditions = Boolean(body.filters?.length || body.dateFilters?.length);
  const searching: Promise<SearchedPage> = Promise.resolve(
    backend.fileSets.search(body, { limit, offset, signal }),
  );
  const [page, all, counted] = await Promise.all([
    searching,
    hasConditions ? orNull(backend.fileSets.search({}, { limit: 1, signal })) : null,
    store && orNull(store.facets(body, { ...options, most: MOST_COUNTED })),
  ]);
  const facets = counted ?? countRowFacets(page.fileSets, options);
  const opened = open
    ? page.fileSets.find(({ id }) => id === open) ??
      await orNull(loadFileSet(backend, open, signal))
    : null;
  return {
    page: { ...page, fileSets: page.fileSets.map(withShortTexts) },
    /** The number of all file sets; null without conditions, or if the service gives no total. */
    all: all?.pageContext.total ?? null,
    opened: opened && withShortTexts(opened),
    facets,
    /** Whether the facets are those of the rows alone, as those of all matches aren't counted yet. */
    isLate: store !== null && facets.rows !== null,
  };
}

/** The facets of all matches, which may take long, or of the rows of an upstream. */
export async function loadFacets(
  { backend, services: { store } }: SearchState,
  { body, limit, offset }: FileSetSearch,
  options: SearchOptions,
): Promise<Facets> {
  const counted = await store?.facets(body, options);
  if (counted) return counted;
  const { signal } = options;
  const { fileSets } = await backend.fileSets.search(body, { limit, offset, signal });
  return countRowFacets(fileSets, options);
}

/**
 * The file set with an id. The interface can't get a single one, so this searches for its id.
 *
 * @throws {ProblemError} If the service finds none, or others
 */
export async function loadFileSet(backend: Backend, id: string, signal: AbortSignal) {
  const filters = [{ field: "id", operator: "EQUALS", value: [id] }];
  const { fileSets } = await backend.fileSets.search({ filters }, { limit: 1, signal });
  const fileSet = fileSets.find((found) => found.id === id);
  if (fileSet) return fileSet;
  throw fileSets.length === 0
    ? new ProblemError(404, `No file set has the id “${id}”`)
    : new ProblemError(502, "The service does not search by id, so it can't find a file set");
}

const MAX_CHARACTERS = 1000;

/** A service may send texts of any length, for many rows, and lists and objects of its own. */
function withShortTexts(fileSet: FileSet): FileSet {
  const entries = Object.entries(fileSet).map(([name, value]) =>
    value !== null && /string|object/.test(typeof value)
      ? [name, shorten(cellText(value), MAX_CHARACTERS)]
      : [name, value]
  );
  return Object.fromEntries(entries) as unknown as FileSet;
}

async function orNull<T>(promise: PromiseLike<T>): Promise<T | null> {
  try {
    return await promise;
  } catch {
    return null;
  }
}

/** The facets of the rows on a page, where all that match can't be counted. */
export function countRowFacets(
  fileSets: readonly FileSet[],
  options: DateOptions = {},
): Facets {
  return {
    rows: fileSets.length,
    facets: facetQuestions(options).map(({ field, conditions }) =>
      conditions
        ? {
          field,
          options: conditions.map((condition) => {
            const body = { ["operator" in condition ? "filters" : "dateFilters"]: [condition] };
            return { condition, count: matchFileSets(fileSets, body).length };
          }),
          others: 0,
        }
        : toValueFacet(field, countValues(fileSets.map((fileSet) => fileSet[field] ?? null)))
    ),
  };
}

function countValues<Value>(values: readonly Value[]): [Value, number][] {
  // Values that are as frequent stay in the order of their texts.
  return [...Map.groupBy(values.toSorted(), (value) => value)]
    .map(([value, { length }]): [Value, number] => [value, length])
    .sort(([, many], [, few]) => few - many);
}
