import { assert, assertEquals } from "@std/assert";
import { withServer } from "../app.ts";
import { answering, withUpstream } from "../upstream.ts";

const MAX_FAILURES = 10;

const HISTORY = "/api/content/v1/reportschedules/101/history?limit=1";

async function ask(origin: string, token: string): Promise<{ status: number; retryAfter: number }> {
  const headers = { "X-SERVICE-Developer-Token": token };
  const response = await fetch(origin + HISTORY, { headers });
  await response.body?.cancel();
  return { status: response.status, retryAfter: Number(response.headers.get("retry-after")) };
}

Deno.test("[e2e] API: only the first few guesses of a token reach the upstream", () =>
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
