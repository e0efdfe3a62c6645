import { withQuery } from "../../ui/query.ts";

export interface SavedView {
  readonly name: string;
  readonly href: string;
}

export const MAX_NAME = 80;

const KEY = "docket.views";

const VIEW_HREF = /^\/(filesets|schedules\/[1-9]\d*)(\?[^#]*)?$/;

export function readSavedViews(storage: Pick<Storage, "getItem">): readonly SavedView[] {
  let stored: unknown;
  try {
    stored = JSON.parse(storage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
  if (!Array.isArray(stored)) return [];
  return stored
    .filter((view) => typeof view?.name === "string" && VIEW_HREF.test(view.href))
    .map(({ name, href }) => ({ name, href }));
}

/** @throws if the browser has no space */
export function writeSavedViews(views: readonly SavedView[]): void {
  localStorage.setItem(KEY, JSON.stringify(views));
}

/** The link of a page as a view: its first page, without what is open on it. */
export function viewHref({ pathname, search }: Pick<Location, "pathname" | "search">): string {
  const params = new URLSearchParams(search);
  for (const name of ["offset", "skip", "open", "new-field"]) params.delete(name);
  return withQuery(pathname, params);
}

/** The views with another one at the end, or in place of the one of the same name. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  const at = views.findIndex(({ name }) => name === view.name);
  return at < 0 ? [...views, view] : views.with(at, view);
}
