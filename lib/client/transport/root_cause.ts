/** Finds why the network failed, which each runtime hides in nested causes in its own way. */

/** Causes in common words, and the codes and messages of Node, Deno and Bun for them. */
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

/** Why `fetch` failed: in common words, or else the innermost error's message; empty if unknown. */
export function describeRootCause(error: unknown): string {
  const inner = innermost(error);
  return findKnownCause(error) || (inner === error ? "" : inner.message ?? "");
}

/** The root cause in common words, which never contain the address; empty if it is not known. */
export function findKnownCause(error: unknown): string {
  const inner = innermost(error);
  const text = `${inner.code} ${inner.message}`;
  return Object.keys(REASONS).find((words) => REASONS[words].test(text)) ?? "";
}

function innermost(error: unknown): { readonly code?: unknown; readonly message?: string } {
  let inner = Object(error);
  // If several addresses were tried, each has its own error.
  for (let depth = 0; depth < 9 && (inner.cause ?? inner.errors); depth++) {
    inner = Object(inner.cause ?? inner.errors[0]);
  }
  return inner;
}
