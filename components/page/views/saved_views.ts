/** Views that are saved in the browser, and the default one in a cookie for the server. */
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

/** A search of file sets, or the runs of a schedule. */
const VIEW_HREF = /^\/(filesets|schedules\/[1-9]\d*)(\?[^#]*)?$/;

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
    .filter((view) => typeof view?.name === "string" && VIEW_HREF.test(view.href))
    .map(({ name, href, isDefault }) => ({ name, href, ...(isDefault === true && { isDefault }) }));
}

/**
 * Stores the views, and the default one in the cookie.
 *
 * @throws if the browser has no space
 */
export function writeSavedViews(views: readonly SavedView[]): void {
  localStorage.setItem(KEY, JSON.stringify(views));
  document.cookie = defaultViewCookie(views, location.protocol);
}

/** The link of a page as a view: its first page, without what is open on it. */
export function viewHref({ pathname, search }: Pick<Location, "pathname" | "search">): string {
  const params = new URLSearchParams(search);
  for (const name of ["offset", "skip", "open", "new-field"]) params.delete(name);
  // Without a search, the default view would be shown.
  if (pathname === "/filesets" && params.size === 0) params.set("view", "all");
  return withQuery(pathname, params);
}

/** The views with another one at the end, or in place of the one of the same name. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  const at = views.findIndex(({ name }) => name === view.name);
  return at < 0 ? [...views, view] : views.with(at, { ...views[at], href: view.href });
}

/** The views with another default, or with none. */
export function withDefault(
  views: readonly SavedView[],
  name: string | null,
): readonly SavedView[] {
  return views.map(({ isDefault: _, ...view }) =>
    view.name === name ? { ...view, isDefault: true } : view
  );
}

/** Only requests for file sets carry it. */
export const DEFAULT_VIEW_COOKIE = "docket_view";

/** Browsers drop longer cookies silently. */
const MAX_CHARACTERS = 3800;

/** Whether a view can be the default: a search of file sets that is not too long for a cookie. */
export function canBeDefault({ href }: SavedView): boolean {
  return href.startsWith("/filesets?") && encodeURIComponent(href).length <= MAX_CHARACTERS;
}

/** The cookie that goes with these views, as `document.cookie` takes it. */
export function defaultViewCookie(views: readonly SavedView[], protocol: string): string {
  const view = views.find((each) => each.isDefault && canBeDefault(each));
  const secure = protocol === "https:" ? "; Secure" : "";
  return `${DEFAULT_VIEW_COOKIE}=${view ? encodeURIComponent(view.href) : ""}; Path=/filesets; ` +
    `Max-Age=${view ? 365 * 86_400 : 0}; SameSite=Lax${secure}`;
}

/** The default view of a cookie's value; null if there is none, or none that can be. */
export function readDefaultView(value: string | undefined): string | null {
  try {
    const href = decodeURIComponent(value ?? "");
    return /^\/filesets\?[^#\\\s]+$/.test(href) ? href : null;
  } catch {
    return null;
  }
}
