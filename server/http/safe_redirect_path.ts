/** A path of this site to go to, made from what somebody sent: anything else becomes the start. */
export function safeRedirectPath(text: string | null): string {
  const base = "http://docket.invalid";
  const url = text?.startsWith("/") ? URL.parse(text, base) : null;
  // A second slash or a backslash would make the rest of it another host.
  if (!url || url.origin !== base || url.pathname.startsWith("//")) return "/filesets";
  return url.pathname + url.search;
}
