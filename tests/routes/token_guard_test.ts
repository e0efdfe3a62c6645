import { assert, assertEquals } from "@std/assert";
import { MAX_FAILURES } from "../../server/auth/failed_attempts.ts";
import { TOKEN, withServer } from "../app.ts";
import { answering, withUpstream } from "../upstream.ts";

const HISTORY = "/api/content/v1/reportschedules/101/history?limit=1";

async function ask(origin: string, token: string): Promise<{ status: number; retryAfter: number }> {
  const headers = { "X-SERVICE-Developer-Token": token };
  const response = await fetch(origin + HISTORY, { headers });
  await response.body?.cancel();
  return { status: response.status, retryAfter: Number(response.headers.get("retry-after")) };
}

Deno.test("[e2e] API: of a client that guesses tokens, only the first few reach the upstream", () =>
  withUpstream((upstream) =>
    withServer({ SERVICE_BASE_URL: upstream.baseUrl }, async ({ origin }) => {
      upstream.behave(answering(401));
      for (let time = 0; time < 50; time++) {
        const { status, retryAfter } = await ask(origin, `guess-${time}`);
        assertEquals(status, time < MAX_FAILURES ? 401 : 429);
        assert(status === 401 || retryAfter > 500 && retryAfter <= 600, String(retryAfter));
      }
      assertEquals(upstream.asked.length, MAX_FAILURES);
    })
  ));

Deno.test("[e2e] API: guesses do not hold up a token that is in use", () =>
  withServer({}, async ({ origin }) => {
    assertEquals((await ask(origin, TOKEN)).status, 200);
    for (let time = 0; time < MAX_FAILURES; time++) {
      assertEquals((await ask(origin, `guess-${time}`)).status, 401);
    }
    assertEquals((await ask(origin, "guess")).status, 429);
    assertEquals((await ask(origin, TOKEN)).status, 200);
    // A person may still sign in.
    const body = new URLSearchParams({ token: TOKEN });
    const response = await fetch(`${origin}/sign-in`, { method: "POST", body, redirect: "manual" });
    await response.body?.cancel();
    assertEquals(response.status, 303);
  }));
