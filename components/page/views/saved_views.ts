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

/** The cookie with the view that **File sets** in the navigation opens. */
export const DEFAULT_VIEW_COOKIE = "docket_view";
/** The cookie is sent with every request, so longer views can't be the default. */
const MAX_DEFAULT = 1000;

export function canBeDefault({ href }: SavedView): boolean {
  return href.startsWith("/filesets?") && encodeURIComponent(href).length <= MAX_DEFAULT;
}

/** The default view in the cookie's value; null if there is none or it is not valid. */
export function readDefaultView(value = ""): string | null {
  try {
    const href = decodeURIComponent(value);
    return /^\/filesets\?[^#\\\s]+$/.test(href) ? href : null;
  } catch {
    return null;
  }
}

/** @throws if the browser has no space */
export function writeSavedViews(views: readonly SavedView[], preferred: string | null): void {
  localStorage.setItem(KEY, JSON.stringify(views));
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${DEFAULT_VIEW_COOKIE}=${encodeURIComponent(preferred ?? "")}; Path=/; ` +
    `Max-Age=${preferred === null ? 0 : 365 * 86_400}; SameSite=Lax${secure}`;
}

/** The link to save as a view: the first page of rows, with nothing open. */
export function viewHref({ pathname, search }: Pick<Location, "pathname" | "search">): string {
  const params = new URLSearchParams(search);
  for (const name of ["offset", "skip", "open", "new-field"]) params.delete(name);
  return withQuery(pathname, params);
}

/** Adds a view at the end, or replaces the one with the same name. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  const at = views.findIndex(({ name }) => name === view.name);
  return at < 0 ? [...views, view] : views.with(at, view);
}
