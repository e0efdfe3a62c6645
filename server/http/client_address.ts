/** The client that sent a request, as far as it is known; only used for counting. */

export interface ConnectionInfo {
  readonly remoteAddr: Deno.Addr;
}

/**
 * The address of a request's client. Behind a proxy, only the last address in `X-Forwarded-For`
 * counts, which the proxy added. An IPv6 network of one customer counts as one client.
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
  return customerAddress(
    forwarded || (address && "hostname" in address ? address.hostname : "unknown"),
  );
}

/** The first 64 bits of an IPv6 address, however it is written; any other text without its port. */
function customerAddress(address: string): string {
  const bare = address.replace(/^\[|\](:\d+)?$|(?<=^[\d.]+):\d+$|%.*$/g, "");
  const ip = bare.includes(":") ? URL.parse(`http://[${bare}]/`)?.hostname.slice(1, -1) : undefined;
  if (ip === undefined) return /^127\./.test(bare) ? LOOPBACK : bare.slice(0, 64);
  if (ip === "::1") return LOOPBACK;
  const [head, tail = ""] = ip.split("::");
  const before = head.split(":").filter(Boolean);
  const after = tail.split(":").filter(Boolean);
  const groups = [...before, ...Array(8 - before.length - after.length).fill("0"), ...after];
  return groups.slice(0, 6).join(":") === IPV4_MAPPED
    ? customerAddress(groups.slice(6).map(ipv4Half).join("."))
    : groups.slice(0, 4).join(":");
}

const LOOPBACK = "127.0.0.1";

const IPV4_MAPPED = "0:0:0:0:0:ffff";

function ipv4Half(group: string): string {
  const bytes = parseInt(group, 16);
  return `${bytes >> 8}.${bytes & 255}`;
}
