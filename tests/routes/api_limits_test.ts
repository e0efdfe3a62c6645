import { assert, assertEquals } from "@std/assert";
import { HEADER, ORIGIN, TOKEN, withApp } from "../app.ts";

function search(token: string): Request {
  return new Request(`${ORIGIN}/api/files/v1/filesets/search?limit=1`, {
    method: "POST",
    headers: { [HEADER]: token, "content-type": "application/json" },
    body: "{}",
  });
}

Deno.test({
  name: "[e2e] POST search: RATE_LIMIT bounds the requests of each token in a minute",
  // The limiter's timers forget a token after its minute; they keep no process alive.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: () =>
    withApp({ RATE_LIMIT: "2" }, async ({ fetch, services }) => {
      const other = (await services.store!.tokens.add("other", "reader", new Date()))!;
      for (const status of [200, 200, 429]) {
        const response = await fetch(search(TOKEN));
        assertEquals(response.status, status);
        const retryAfter = response.headers.get("retry-after");
        assertEquals(retryAfter !== null, status === 429);
        const answer = await response.json();
        if (status === 429) {
          assert(Number(retryAfter) >= 1 && Number(retryAfter) <= 60);
          assertEquals(answer.status, 429);
        }
      }
      assertEquals((await fetch(search(other))).status, 200);
    }),
});

Deno.test("[e2e] POST search: a Docket token is accepted until it is revoked", () =>
  withApp({}, async ({ fetch, services }) => {
    const { tokens } = services.store!;
    const token = (await tokens.add("someone", "reader", new Date()))!;
    assertEquals((await fetch(search(token))).status, 200);
    const signedIn = await fetch(
      new Request(`${ORIGIN}/sign-in`, { method: "POST", body: new URLSearchParams({ token }) }),
    );
    const cookie = signedIn.headers.getSetCookie().map((each) => each.split(";")[0]).join("; ");
    const bySession = () => {
      const request = search(token);
      request.headers.delete(HEADER);
      request.headers.set("cookie", cookie);
      return fetch(request);
    };
    assertEquals((await bySession()).status, 200);
    await tokens.revoke("someone", new Date());
    assertEquals((await fetch(search(token))).status, 401);
    assertEquals((await bySession()).status, 401);
  }));
