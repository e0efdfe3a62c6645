/**
 * Health checks: `/healthz` says whether the program is alive, `/readyz` whether it can serve. They say
 * nothing else, because they need no token.
 */

export interface Health {
  readonly version: string;
  isReady(): Promise<boolean>;
}

/** Whether this is a health check, which gets a response even when nothing else does. */
export function isHealthRequest(request: Request): boolean {
  return /^\/(healthz|readyz)$/.test(URL.parse(request.url)?.pathname ?? "");
}

export async function healthResponse(
  request: Request,
  { version, isReady }: Health,
): Promise<Response> {
  if (!["GET", "HEAD"].includes(request.method)) {
    const headers = { allow: "GET, HEAD" };
    return Response.json({ status: "method not allowed" }, { status: 405, headers });
  }
  const isHealthy = new URL(request.url).pathname === "/healthz" || await isReady();
  const status = isHealthy ? "ok" : "unavailable";
  return Response.json({ status, version }, { status: isHealthy ? 200 : 503 });
}
