import { assert, assertEquals, assertMatch } from "@std/assert";
import { TOKEN, withServer } from "../app.ts";

const MAX_FAILURES = 10;

interface Attempt {
  readonly token?: string;
  readonly code?: string;
  /** What the request says of where it comes from. */
  readonly forwarded?: string;
}

async function signIn(origin: string, { forwarded, ...fields }: Attempt) {
  const response = await fetch(`${origin}/sign-in`, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
    redirect: "manual",
  });
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    text: await response.text(),
  };
}

async function failing(origin: string, attempt: Attempt): Promise<void> {
  for (let time = 0; time < MAX_FAILURES; time++) {
    assertEquals((await signIn(origin, attempt)).status, 401);
  }
}

for (const attempt of [{ token: "wrong" }, { code: "wrong" }]) {
  Deno.test(`[e2e] sign in: after too many a wrong ${Object.keys(attempt)} even the right token waits`, () =>
    withServer({}, async ({ origin }) => {
      await failing(origin, attempt);
      const { status, retryAfter, text } = await signIn(origin, { token: TOKEN });
      assertEquals(status, 429);
      assert(Number(retryAfter) > 500 && Number(retryAfter) <= 600, `${retryAfter}`);
      assertMatch(text, /Too many failed attempts to sign in; try again in (10 min|9 min 5\d s)/);
      // Who is signed in, or has a token for the API, is not held up.
      const headers = { "X-SERVICE-Developer-Token": TOKEN };
      const api = await fetch(`${origin}/api/content/v1/reportschedules/101/history`, { headers });
      await api.body?.cancel();
      assertEquals(api.status, 200);
    }));
}

Deno.test("[e2e] sign in: what a client says about itself does not make it another", () =>
  withServer({}, async ({ origin }) => {
    for (let time = 0; time < MAX_FAILURES; time++) {
      await signIn(origin, { token: "wrong", forwarded: `192.0.2.${time}` });
    }
    assertEquals((await signIn(origin, { token: TOKEN })).status, 429);
  }));

Deno.test("[e2e] sign in: behind a proxy, clients are told apart by its X-Forwarded-For", () =>
  withServer({ PUBLIC_ORIGIN: "https://docket.example.com" }, async ({ origin }) => {
    for (let time = 0; time < MAX_FAILURES; time++) {
      await signIn(origin, { token: "wrong", forwarded: `made-up-${time}, 192.0.2.1` });
    }
    assertEquals((await signIn(origin, { token: TOKEN, forwarded: "192.0.2.1" })).status, 429);
    assertEquals((await signIn(origin, { token: TOKEN, forwarded: "192.0.2.2" })).status, 303);
  }));
