/**
 * The default view in a cookie, so that the server shows it at once. Only requests for file sets
 * carry it.
 */
import type { SavedView } from "./saved_views.ts";

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
