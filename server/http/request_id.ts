/** Names a request: the name a proxy gave it, where it is safe to repeat, or a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given && /^[\w.-]{1,64}$/.test(given) ? given : crypto.randomUUID();
}
