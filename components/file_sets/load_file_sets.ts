import type { Backend } from "../../lib/client/backend.ts";
import { cellText } from "../../lib/export.ts";
import { shorten } from "../../lib/format.ts";
import type { SearchedPage } from "../../lib/client/own_matching.ts";
import type { FileSet } from "../../lib/types.ts";
import type { ShownSearch } from "../search/page_view.ts";

export interface LoadedFileSets {
  readonly page: SearchedPage;
  /** The number of all file sets; null without conditions, or if the service gives no total. */
  readonly all: number | null;
  readonly opened: FileSet | null;
}

/** Loads a view. The total and the open file set are null if they can't be loaded. */
export async function loadFileSets(
  backend: Backend,
  { body, limit, offset, open }: ShownSearch,
  signal: AbortSignal,
): Promise<LoadedFileSets> {
  const hasConditions = Boolean(body.filters?.length || body.dateFilters?.length);
  const [page, all] = await Promise.all([
    backend.fileSets.search(body, { limit, offset, signal }),
    hasConditions ? orNull(backend.fileSets.search({}, { limit: 1, signal })) : null,
  ]);
  return {
    page: { ...page, fileSets: page.fileSets.map(withShortTexts) },
    all: all?.pageContext.total ?? null,
    opened: open ? await findFileSet(backend, open, page.fileSets, signal) : null,
  };
}

async function findFileSet(
  backend: Backend,
  id: string,
  page: readonly FileSet[],
  signal: AbortSignal,
): Promise<FileSet | null> {
  const isWanted = (fileSet: FileSet) => fileSet.id === id;
  const filters = [{ field: "id", operator: "EQUALS", value: [id] }];
  const found = page.find(isWanted) ??
    (await orNull(backend.fileSets.search({ filters }, { limit: 1, signal })))?.fileSets.find(
      isWanted,
    );
  return found ? withShortTexts(found) : null;
}

const MAX_CHARACTERS = 1000;

/** A service may send texts of any length, for many rows. */
function withShortTexts(fileSet: FileSet): FileSet {
  const entries = Object.entries(fileSet).map(([name, value]) =>
    [name, /string|object/.test(typeof value) ? shortText(value) : value] as const
  );
  return Object.fromEntries(entries) as unknown as FileSet;
}

/** Fields that the interface does not name may be lists and objects. */
function shortText(value: unknown): string | null {
  return value === null ? null : shorten(cellText(value), MAX_CHARACTERS);
}

async function orNull<T>(promise: PromiseLike<T>): Promise<T | null> {
  try {
    return await promise;
  } catch {
    return null;
  }
}
