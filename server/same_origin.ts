/**
 * Whether a request was sent by another site's page. Browsers say where a request comes from in
 * `Sec-Fetch-Site`, older ones in `Origin`; programs say neither, and carry no cookies to misuse.
 */
export function isForeign(request: Request, origin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  const from = request.headers.get("origin");
  return from !== null && from !== origin;
}
