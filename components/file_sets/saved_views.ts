/** Views that a reader saved in this browser, by name. */

/** A saved view. */
export interface SavedView {
  readonly name: string;
  /** The page that shows it. */
  readonly href: string;
}

const KEY = "docket.views";

/** The saved views, by name; what somebody else put in their place is passed over. */
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

/** Saves a view; one of the same name is replaced. */
export function saveView(storage: Storage, view: SavedView): SavedView[] {
  const others = readSavedViews(storage).filter(({ name }) => name !== view.name);
  return write(storage, [...others, view].sort((a, b) => a.name.localeCompare(b.name)));
}

/** Forgets the view of that name. */
export function forgetView(storage: Storage, forgotten: string): SavedView[] {
  return write(storage, readSavedViews(storage).filter(({ name }) => name !== forgotten));
}

function write(storage: Storage, views: SavedView[]): SavedView[] {
  storage.setItem(KEY, JSON.stringify(views));
  return views;
}

/** Only pages of file sets: a link to anywhere else has no business here. */
function isFileSetsHref(href: unknown): href is string {
  return typeof href === "string" && /^\/filesets(\?|$)/.test(href);
}
