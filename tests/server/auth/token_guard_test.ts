import { assertEquals, assertRejects } from "@std/assert";
import { MAX_FAILURES } from "../../../server/auth/failed_attempts.ts";
import { createTokenGuard, type TokenGuard } from "../../../server/auth/token_guard.ts";
import { isProblemError } from "../../../server/http/problem.ts";

function call(guard: TokenGuard, client: string, token: string, status: number): Promise<number> {
  const response = new Response(null, { status });
  return guard.watch(client, token, () => Promise.resolve(response)).then(
    ({ status }) => status,
    (error) => isProblemError(error) ? error.problem.status : Promise.reject(error),
  );
}

Deno.test("createTokenGuard: after too many rejected tokens a client waits, and nobody else", async () => {
  let now = 0;
  const guard = createTokenGuard(() => now);
  for (let time = 0; time < MAX_FAILURES; time++) {
    const status = time % 2 === 0 ? 401 : 403;
    assertEquals(await call(guard, "a", `guess ${time}`, status), status);
  }
  assertEquals(await call(guard, "a", "right", 200), 429);
  assertEquals(await call(guard, "b", "right", 200), 200);
  now = 10 * 60 * 1000;
  assertEquals(await call(guard, "a", "right", 200), 200);
});

Deno.test("createTokenGuard: a token that was accepted from the client is not held up", async () => {
  const guard = createTokenGuard(() => 0);
  assertEquals(await call(guard, "a", "right", 200), 200);
  for (let time = 0; time < MAX_FAILURES; time++) await call(guard, "a", "wrong", 401);
  assertEquals(await call(guard, "a", "wrong", 401), 429);
  assertEquals(await call(guard, "a", "right", 200), 200);
  // Once it is rejected, it is a token like any other.
  assertEquals(await call(guard, "a", "right", 401), 401);
  assertEquals(await call(guard, "a", "right", 200), 429);
});

Deno.test("createTokenGuard: what could not be judged does not count, and accepts nothing", async () => {
  const guard = createTokenGuard(() => 0);
  for (let time = 0; time < 2 * MAX_FAILURES; time++) {
    for (const status of [400, 404, 429, 502]) {
      assertEquals(await call(guard, "a", "x", status), status);
    }
  }
  await assertRejects(
    () => guard.watch("a", "x", () => Promise.reject(new Error("broken"))),
    Error,
  );
  for (let time = 0; time < MAX_FAILURES; time++) await call(guard, "a", "x", 401);
  assertEquals(await call(guard, "a", "x", 200), 429);
});
