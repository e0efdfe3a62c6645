/** A real identity provider on this machine, for tests of signing in. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

export const CLIENT = { id: "docket", secret: "planted-secret-of-the-client" };

/** The claims of each account; whoever signs in types its name and any password. */
type Accounts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type IdentityProvider = Awaited<ReturnType<typeof startProvider>>;

async function newKeys() {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const { kty, crv, x, y, d } = await crypto.subtle.exportKey("jwk", privateKey as CryptoKey);
  const kid = crypto.randomUUID();
  return { keys: [{ kty, crv, x, y, d, kid, use: "sig", alg: "ES256" }] };
}

/** Starts a provider that sends people back to that address. */
export async function startProvider(redirectUri: string, accounts: Accounts) {
  let answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  let changed = { path: "", change: (body: object) => body };
  const server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** Signs with new keys from now on, and forgets the old ones. */
  async function rotateKeys(): Promise<void> {
    const provider = new Provider(issuer, {
      clients: [{
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: "ES256",
      }],
      claims: { openid: ["sub"], profile: ["name", "groups"], email: ["email", "email_verified"] },
      cookies: { keys: ["keys-of-the-tests"] },
      features: { devInteractions: { enabled: true } },
      findAccount: (_ctx: unknown, accountId: string) => ({
        accountId,
        claims: () => ({ sub: accountId, ...accounts[accountId] }),
      }),
      jwks: await newKeys(),
      pkce: { required: () => true },
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    });
    provider.use(async (ctx: { path: string; body: object }, next: () => Promise<void>) => {
      await next();
      if (ctx.path === changed.path) ctx.body = changed.change(ctx.body);
    });
    answer = provider.callback();
  }
  await rotateKeys();

  /** Goes where Docket led, signs in there, and returns where the provider leads back to. */
  async function signIn(url: string, account: string): Promise<string> {
    const cookies = new Map<string, string>();
    let next: Request = new Request(url);
    for (let step = 0; step < 12; step++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      next.headers.set("cookie", cookie);
      const response = await fetch(next, { redirect: "manual" });
      for (const text of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(text)!;
        cookies.set(name, value);
      }
      const html = await response.text();
      const location = response.headers.get("location");
      if (location?.startsWith(redirectUri)) return location;
      if (location) {
        next = new Request(new URL(location, next.url));
        continue;
      }
      const [, action] = /<form[^>]*action="([^"]+)"/.exec(html) ?? [];
      const [, prompt] = /name="prompt" value="(\w+)"/.exec(html) ?? [];
      if (!action) throw new Error(`The provider says: ${html}`);
      const body = new URLSearchParams({ prompt, login: account, password: "any" });
      next = new Request(new URL(action, next.url), { method: "POST", body });
    }
    throw new Error("The provider leads nowhere");
  }

  return {
    issuer,
    rotateKeys,
    /** Changes what it answers with at a path. */
    change: (path: string, change: (body: object) => object) => void (changed = { path, change }),
    signIn,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
