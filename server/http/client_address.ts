/** The client that a request comes from, as far as it can be known; only used for counting. */

/** What `Deno.serve` knows of a connection. */
export interface ConnectionInfo {
  readonly remoteAddr: Deno.Addr;
}

/**
 * The address of a request's client. Behind a proxy, it is the last address in `X-Forwarded-For`, which
 * the proxy added; the ones before it come from the client and prove nothing. An IPv6 network of one
 * customer counts as one client.
 */
export function clientAddress(
  request: Request,
  info: ConnectionInfo | undefined,
  isBehindProxy: boolean,
): string {
  const forwarded = isBehindProxy
    ? request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim()
    : undefined;
  const address = info?.remoteAddr;
  return customerOf(forwarded || (address && "hostname" in address ? address.hostname : "unknown"));
}

/** The first 64 bits of an address of IPv6; any other text without its port, within reason. */
function customerOf(address: string): string {
  const bare = address.replace(/^\[|\](:\d+)?$|(?<=\.\d+):\d+$/g, "");
  if (!/^[0-9a-f:]*:[0-9a-f:]*$/i.test(bare)) return bare.slice(0, 64);
  const [head, tail = ""] = bare.toLowerCase().split("::");
  const groups = head.split(":").filter(Boolean);
  const missing = 8 - groups.length - tail.split(":").filter(Boolean).length;
  const all = [...groups, ...Array(Math.max(0, missing)).fill("0"), ...tail.split(":")];
  return all.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, "")).join(":");
}
