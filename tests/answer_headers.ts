/** The headers that every response must have. */

/** What is wrong with an answer's headers, a line each. */
export function headerFaults(
  { headers }: Response,
  { isOperation = false, isPublic = false, isSecure = false }: {
    /** Whether it is of one of the interface's two operations, which scripts of any origin may read. */
    readonly isOperation?: boolean;
    /** Whether it is a file that anyone may keep. */
    readonly isPublic?: boolean;
    /** Whether browsers come over TLS. */
    readonly isSecure?: boolean;
  } = {},
): string[] {
  const policy = headers.get("content-security-policy") ?? "";
  const isPage = headers.get("content-type")?.startsWith("text/html") ?? false;
  const expected: Readonly<Record<string, string | RegExp | null>> = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "permissions-policy": isPage ? /(^|, )camera=\(\), .*usb=\(\)/ : null,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-resource-policy": isOperation ? "cross-origin" : "same-origin",
    "access-control-allow-origin": isOperation ? "*" : null,
    "access-control-allow-credentials": null,
    "strict-transport-security": isSecure ? "max-age=31536000" : null,
    "x-request-id": /^[\w.-]+$/,
    "cache-control": isPublic ? /^public, max-age=\d+/ : "private, no-store",
    "content-security-policy": isPage
      ? /^default-src 'none'; script-src 'self'( 'sha256-[\w+/=]+')?; style-src 'self'; .*; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/
      : "default-src 'none'; frame-ancestors 'none'",
  };
  const faults = Object.entries(expected).flatMap(([name, value]) => {
    const actual = headers.get(name);
    const isRight = value instanceof RegExp ? value.test(actual ?? "") : value === actual;
    return isRight ? [] : [`${name}: ${actual}`];
  });
  return policy.includes("unsafe") ? [...faults, policy] : faults;
}
