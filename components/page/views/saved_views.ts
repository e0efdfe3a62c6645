import { withQuery } from "../../ui/query.ts";

export interface SavedView {
  readonly name: string;
  readonly href: string;
  /** Whether it is what `/filesets` shows when nothing else is asked for. */
  readonly isDefault?: true;
}

export const MAX_NAME = 80;
export const MAX_VIEWS = 500;

const KEY = "docket.views";

/** Reads the saved views. Anything else in the storage is ignored. */
export function readSavedViews(storage: Pick<Storage, "getItem">): readonly SavedView[] {
  let stored: unknown;
  try {
    stored = JSON.parse(storage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
  if (!Array.isArray(stored)) return [];
  return stored
    .filter((view) => typeof view?.name === "string" && isViewHref(view?.href))
    .map(({ name, href, isDefault }) => ({ name, href, ...(isDefault === true && { isDefault }) }));
}

export function writeSavedViews(
  storage: Pick<Storage, "setItem">,
  views: readonly SavedView[],
): void {
  storage.setItem(KEY, JSON.stringify(views));
}

/** Whether a link may be a saved view: a search of file sets, or the runs of a schedule. */
export function isViewHref(href: unknown): href is string {
  return typeof href === "string" && /^\/(filesets|schedules\/[1-9]\d*)(\?[^#]*)?$/.test(href);
}

/** The link of a page as a view: its first page, without what is open on it. */
export function viewHref({ pathname, search }: Pick<Location, "pathname" | "search">): string {
  const params = new URLSearchParams(search);
  for (const name of ["offset", "skip", "open", "add", "edit"]) params.delete(name);
  // Without a search, the default view would be shown.
  if (pathname === "/filesets" && params.size === 0) params.set("view", "all");
  return withQuery(pathname, params);
}

/** The views with another one at the end, or in place of the one of the same name. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  const at = views.findIndex(({ name }) => name === view.name);
  return at < 0 ? [...views, view] : views.with(at, { ...views[at], href: view.href });
}

export function withoutView(views: readonly SavedView[], name: string): readonly SavedView[] {
  return views.filter((view) => view.name !== name);
}

/** The views with one moved up (-1) or down (1), where there is room. */
export function movedView(
  views: readonly SavedView[],
  name: string,
  by: -1 | 1,
): readonly SavedView[] {
  const at = views.findIndex((view) => view.name === name);
  const [view, other] = [views[at], views[at + by]];
  return view && other ? views.with(at, other).with(at + by, view) : views;
}

/** The views with one under another name; null if that is another view's. */
export function renamedView(
  views: readonly SavedView[],
  name: string,
  next: string,
): readonly SavedView[] | null {
  if (next !== name && views.some((view) => view.name === next)) return null;
  return views.map((view) => view.name === name ? { ...view, name: next } : view);
}

export function withDefault(
  views: readonly SavedView[],
  name: string | null,
): readonly SavedView[] {
  return views.map(({ isDefault: _, ...view }) =>
    view.name === name ? { ...view, isDefault: true } : view
  );
}
