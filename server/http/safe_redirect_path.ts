/** A path of this site from untrusted input; the start page for anything else. */
export function safeRedirectPath(text: string | null): string {
  const base = "http://docket.invalid";
  const url = text?.startsWith("/") ? URL.parse(text, base) : null;
  // After a second slash or a backslash, the rest would be another host.
  if (!url || url.origin !== base || url.pathname.startsWith("//")) return "/";
  return url.pathname + url.search;
}
