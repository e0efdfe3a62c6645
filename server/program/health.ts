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
    return answer(405, { status: "method not allowed" }, { allow: "GET, HEAD" });
  }
  const isHealthy = new URL(request.url).pathname === "/healthz" || await isReady();
  return answer(isHealthy ? 200 : 503, { status: isHealthy ? "ok" : "unavailable", version });
}

function answer(
  status: number,
  body: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(body, { status, headers });
}
