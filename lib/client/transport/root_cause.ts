/** Says why the network failed; each runtime hides that in nested causes in its own way. */

/** What codes and messages of Node, Deno and Bun mean. */
const REASONS: Readonly<Record<string, RegExp>> = {
  "connection refused": /refused/i,
  "port not allowed": /bad port|port \d+ are blocked/i,
  "name not found": /notfound|eai_again|dns error/i,
  "no TLS at this port: write http://": /InvalidContentType|wrong.version.number/i,
  "certificate expired": /expired/i,
  "certificate not trusted": /cert/i,
  "connection reset": /reset|socket|closed/i,
  "connection timed out": /timed? ?out/i,
};

/**
 * The root cause of an error of `fetch`: in common words if it is known, or else the message of the
 * innermost error; empty if there is no inner error.
 */
export function rootCauseOf(error: unknown): string {
  const outer = Object(error);
  let inner = outer;
  // Where several addresses were tried, each has its own error.
  for (let depth = 0; depth < 9 && (inner.cause ?? inner.errors); depth++) {
    inner = Object(inner.cause ?? inner.errors[0]);
  }
  const text = `${inner.code} ${inner.message}`;
  return Object.keys(REASONS).find((words) => REASONS[words].test(text)) ??
    (inner === outer ? "" : inner.message);
}
