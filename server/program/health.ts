/**
 * Answers to those who watch the program: `/healthz`, whether it lives, and `/readyz`, whether it
 * can do its work. They say nothing else: anybody may ask.
 */

/** What the answers tell of. */
export interface Health {
  readonly version: string;
  /** Whether requests can be answered as they should be. */
  isReady(): Promise<boolean>;
}

/** Whether a request is for one of the two, which are answered also when nothing else is. */
export function isHealthRequest(request: Request): boolean {
  return /^\/(healthz|readyz)$/.test(URL.parse(request.url)?.pathname ?? "");
}

/** The answer to a request for one of the two. */
export async function healthResponse(
  request: Request,
  { version, isReady }: Health,
): Promise<Response> {
  if (!["GET", "HEAD"].includes(request.method)) {
    return answer(405, { status: "method not allowed" }, { allow: "GET, HEAD" });
  }
  const isWell = new URL(request.url).pathname === "/healthz" || await isReady();
  return answer(isWell ? 200 : 503, { status: isWell ? "ok" : "unavailable", version });
}

function answer(
  status: number,
  body: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(body, { status, headers });
}
