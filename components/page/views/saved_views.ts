/** Views saved in this browser. */

/** A saved view. */
export interface SavedView {
  readonly name: string;
  /** The page that shows it. */
  readonly href: string;
}

const KEY = "docket.views";

/** Reads the saved views, sorted by name. Anything else in the storage is ignored. */
export function readSavedViews(storage: Pick<Storage, "getItem">): SavedView[] {
  let stored: unknown;
  try {
    stored = JSON.parse(storage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
  if (!Array.isArray(stored)) return [];
  return stored
    .filter((view) => typeof view?.name === "string" && isFileSetsHref(view?.href))
    .map(({ name, href }) => ({ name, href }));
}

/** Saves a view, replacing one of the same name. */
export function saveView(storage: Storage, view: SavedView): SavedView[] {
  const others = readSavedViews(storage).filter(({ name }) => name !== view.name);
  return write(storage, [...others, view].sort((a, b) => a.name.localeCompare(b.name)));
}

/** Deletes a saved view. */
export function deleteView(storage: Storage, deleted: string): SavedView[] {
  return write(storage, readSavedViews(storage).filter(({ name }) => name !== deleted));
}

function write(storage: Storage, views: SavedView[]): SavedView[] {
  storage.setItem(KEY, JSON.stringify(views));
  return views;
}

/** Links to other pages are not saved views. */
function isFileSetsHref(href: unknown): href is string {
  return typeof href === "string" && /^\/filesets(\?|$)/.test(href);
}
