/** What is refused before it is read: too many attempts, requests and conditions, too long a link. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { MAX_QUERY_LENGTH } from "../../server/http/request_query.ts";
import { makeRuns } from "../../lib/testing/mod.ts";
import { head, HEADER, HISTORY, ORIGIN, signIn, TOKEN, withPerson, withServer } from "../app.ts";
import { answering, withAppInFront, withUpstream } from "../upstream.ts";

const MAX_FAILURES = 10;

/** Sends the form of signing in, as a proxy forwards it. */
async function sendForm(origin: string, fields: Record<string, string>, forwarded = "192.0.2.1") {
  const headers = { "x-forwarded-for": forwarded };
  const body = new URLSearchParams(fields);
  const init: RequestInit = { method: "POST", body, headers, redirect: "manual" };
  const answer = await head(fetch(`${origin}/sign-in`, init));
  return { status: answer.status, retryAfter: Number(answer.headers.get("retry-after")) };
}

Deno.test("[e2e] sign in: after ten wrong attempts of a client even the right token waits", () =>
  withServer({ PUBLIC_ORIGIN: "https://docket.example.com" }, async ({ origin }) => {
    for (let time = 0; time < MAX_FAILURES; time++) {
      const wrong = { [time % 2 ? "token" : "code"]: "wrong" };
      const { status } = await sendForm(origin, wrong, `made-up-${time}, 192.0.2.1`);
      assertEquals(status, 401);
    }
    const { status, retryAfter } = await sendForm(origin, { token: TOKEN });
    assertEquals(status, 429);
    assert(retryAfter > 0 && retryAfter <= 600, `${retryAfter}`);
    assertEquals((await sendForm(origin, { token: TOKEN }, "192.0.2.99")).status, 303);
    // Who has a token for the API is not held up.
    const api = head(fetch(origin + HISTORY, { headers: { [HEADER]: TOKEN } }));
    assertEquals((await api).status, 200);
  }));

Deno.test("[e2e] API: only the first few guesses of a token reach the upstream", () =>
  withUpstream((upstream) =>
    withServer({ SERVICE_BASE_URL: upstream.baseUrl }, async ({ origin }) => {
      upstream.behave(answering(401));
      for (let time = 0; time < 2 * MAX_FAILURES; time++) {
        const guess = { [HEADER]: `guess-${time}` };
        const { status, headers } = await head(fetch(origin + HISTORY, { headers: guess }));
        assertEquals(status, time < MAX_FAILURES ? 401 : 429);
        assertEquals(headers.has("retry-after"), time >= MAX_FAILURES);
      }
      assertEquals(upstream.requests.length, MAX_FAILURES);
    })
  ));

Deno.test("[e2e] API: RATE_LIMIT bounds the requests of each token and its session in a minute", () =>
  withAppInFront({ runs: { 101: makeRuns(1) } }, async (app) => {
    const add = async (name: string) =>
      (await app.services.tokens!.add(name, "reader", new Date()))!;
    const [token, other] = [await add("Ada"), await add("Bob")];
    const call = async (token: string) => {
      const request = new Request(ORIGIN + HISTORY, { headers: { [HEADER]: token } });
      const { status, headers } = await head(app.fetch(request));
      return [status, headers.has("retry-after")];
    };
    assertEquals((await (await signIn(app, token)).get(HISTORY)).status, 200);
    assertEquals([await call(token), await call(token)], [[200, false], [429, true]]);
    assertEquals(await call(other), [200, false]);
  }, { RATE_LIMIT: "2", OBSERVER_TOKEN: TOKEN }));

Deno.test("[e2e] links: reject a query that is too long before reading it", () =>
  withPerson(async ({ get, app }) => {
    for (const path of ["/filesets", "/schedules/101", "/filesets/export", "/sign-in"]) {
      const longest = `?q=${"x".repeat(MAX_QUERY_LENGTH - "?q=".length)}`;
      assert((await get(path + longest)).status !== 414, path);
      const { status, text } = await get(`${path}${longest}x`);
      assertEquals(status, 414, path);
      assertMatch(text, /A query has at most 8192 characters/);
      assert(!text.includes("xxx") && text.length < 8000, path);
    }
    // Signing in leads to a long link's page, unless the link is too long for that.
    const next = async (path: string) => {
      const { headers } = await app.fetch(new Request(ORIGIN + path));
      return new URL(headers.get("location")!, ORIGIN).searchParams.get("next");
    };
    const short = `/filesets?q=${"%C3%A4".repeat(300)}`;
    assertEquals(await next(short), short);
    assertEquals(await next(`/filesets?q=${"%C3%A4".repeat(1200)}`), "/filesets");
  }));
