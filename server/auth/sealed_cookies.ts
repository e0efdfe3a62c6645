/** Cookies that only the server can read. */
import { deleteCookie, setCookie } from "@std/http/cookie";
import { readCookies } from "../http/cookies.ts";
import type { Sealing } from "./sealing.ts";

type CookieKind = "session" | "oidc";

export function createSealedCookies(sealing: Sealing) {
  return {
    /** Sets a cookie. Browsers silently drop one of more than 4 KB. */
    async put(
      headers: Headers,
      kind: CookieKind,
      value: unknown,
      { origin, maxAge }: { readonly origin: string; readonly maxAge: number },
    ): Promise<void> {
      const sealed = await sealing.seal(value);
      setCookie(headers, { ...describeCookie(origin, kind), value: sealed, maxAge });
    },

    async read(headers: Headers, kind: CookieKind, origin: string): Promise<unknown> {
      const sealed = readCookies(headers)[describeCookie(origin, kind).name];
      return sealed ? await sealing.open(sealed) : undefined;
    },

    remove(headers: Headers, kind: CookieKind, origin: string): void {
      const cookie = describeCookie(origin, kind);
      deleteCookie(headers, cookie.name, cookie);
    },
  };
}

/** Over TLS, a prefix binds it to this host. Otherwise, its name has the port, which browsers ignore. */
export function describeCookie(origin: string, kind: CookieKind) {
  const { protocol, port } = new URL(origin);
  const secure = protocol === "https:";
  return {
    name: secure ? `__Host-docket_${kind}` : `docket_${kind}_${port || 80}`,
    path: "/",
    httpOnly: true,
    sameSite: "Lax" as const,
    secure,
  };
}
