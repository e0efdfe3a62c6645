import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { isProblemError, type ProblemDetails } from "../../../server/http/problem.ts";
import {
  type Attempts,
  createAttempts,
  createTokenGuard,
  type TokenGuard,
} from "../../../server/auth/failed_attempts.ts";

const MAX_FAILURES = 10;
const WINDOW_MS = 10 * 60_000;

const wrong = () => Promise.resolve(null);
const right = () => Promise.resolve("token");

async function toProblem(attempt: Promise<unknown>): Promise<ProblemDetails> {
  const error = await assertRejects(() => attempt);
  if (!isProblemError(error)) throw error;
  return error.problem;
}

async function fail(attempts: Attempts, client: string, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    assertEquals(await attempts.attempt(client, wrong), null);
  }
}

Deno.test("createAttempts: after too many failures even the right one has to wait", async () => {
  let now = 0;
  const attempts = createAttempts("attempts", () => now);
  await fail(attempts, "a", MAX_FAILURES);
  now = WINDOW_MS - 61_000;
  const { status, detail, retryAfterSeconds } = await toProblem(attempts.attempt("a", right));
  assertEquals([status, retryAfterSeconds], [429, 61]);
  assertMatch(detail, /try again in 1 min 01 s/);
  now = WINDOW_MS;
  assertEquals(await attempts.attempt("a", right), "token");
});

Deno.test("createAttempts: neither successes nor what could not be judged counts", async () => {
  const attempts = createAttempts("attempts", () => 0);
  const broken = () => Promise.reject(new Error("the service is away"));
  for (let time = 0; time < 2 * MAX_FAILURES; time++) {
    assertEquals(await attempts.attempt("a", right), "token");
    await assertRejects(() => attempts.attempt("a", broken), Error, "away");
  }
  await fail(attempts, "a", MAX_FAILURES);
});

Deno.test("createAttempts: however many come at once, no more than may fail are judged", async () => {
  const attempts = createAttempts("attempts", () => 0);
  await fail(attempts, "a", MAX_FAILURES - 3);
  const answer = Promise.withResolvers<null>();
  let checked = 0;
  const slow = () => {
    checked++;
    return answer.promise;
  };
  const running = Array.from({ length: 3 }, () => attempts.attempt("a", slow));
  for (let time = 0; time < 30; time++) {
    const { status, retryAfterSeconds } = await toProblem(attempts.attempt("a", slow));
    assertEquals([status, retryAfterSeconds], [429, 5]);
  }
  assertEquals(checked, 3);
  assertEquals(await attempts.attempt("b", right), "token");
  answer.resolve(null);
  await Promise.all(running);
  assertMatch((await toProblem(attempts.attempt("a", right))).detail, /Too many failed attempts/);
});

Deno.test("createAttempts: people of one address sign in together", async () => {
  const attempts = createAttempts("attempts", () => 0);
  const people = Array.from({ length: MAX_FAILURES }, () => attempts.attempt("a", right));
  assertEquals(new Set(await Promise.all(people)), new Set(["token"]));
  await fail(attempts, "a", MAX_FAILURES);
});

Deno.test("createAttempts: a client's window begins with its first failure", async () => {
  let now = 0;
  const attempts = createAttempts("attempts", () => now);
  await fail(attempts, "early", 1);
  assertEquals(await attempts.attempt("a", right), "token");
  now = WINDOW_MS - 1;
  await fail(attempts, "a", MAX_FAILURES);
  now += WINDOW_MS - 1;
  assertEquals((await toProblem(attempts.attempt("a", right))).retryAfterSeconds, 1);
  now += 1;
  await fail(attempts, "a", MAX_FAILURES);
});

Deno.test("createAttempts: of more clients than are remembered, the first is forgotten", async () => {
  const attempts = createAttempts("attempts", () => 0);
  await fail(attempts, "first", MAX_FAILURES);
  await fail(attempts, "second", MAX_FAILURES);
  for (let client = 2; client <= 10_000; client++) await fail(attempts, String(client), 1);
  assertEquals((await toProblem(attempts.attempt("second", right))).status, 429);
  assertEquals(await attempts.attempt("first", right), "token");
});

Deno.test("createAttempts: the same guess several times at once is one", async () => {
  const attempts = createAttempts("attempts", () => 0);
  const answer = Promise.withResolvers<null>();
  const slow = () => answer.promise;
  const same = Array.from({ length: 50 }, () => attempts.attempt("a", slow, "same"));
  const others = Array.from(
    { length: MAX_FAILURES - 1 },
    (_, guess) => attempts.attempt("a", slow, String(guess)),
  );
  assertEquals((await toProblem(attempts.attempt("a", right, "one more"))).status, 429);
  answer.resolve(null);
  await Promise.all([...same, ...others]);
  // Each that failed counts all the same.
  assertMatch((await toProblem(attempts.attempt("a", right))).detail, /Too many failed attempts/);
});

function call(guard: TokenGuard, client: string, token: string, status: number): Promise<number> {
  const response = new Response(null, { status });
  return guard.check(client, token, () => Promise.resolve(response)).then(
    ({ status }) => status,
    (error) => isProblemError(error) ? error.problem.status : Promise.reject(error),
  );
}

Deno.test("createTokenGuard: after too many rejected tokens a client waits, and nobody else", async () => {
  let now = 0;
  const guard = createTokenGuard(() => now);
  for (let time = 0; time < MAX_FAILURES; time++) {
    assertEquals(await call(guard, "a", `guess ${time}`, 401), 401);
    // The token may lack file sets alone.
    assertEquals(await call(guard, "a", `less ${time}`, 403), time < MAX_FAILURES - 1 ? 403 : 429);
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
    () => guard.check("a", "x", () => Promise.reject(new Error("broken"))),
    Error,
  );
  for (let time = 0; time < MAX_FAILURES; time++) await call(guard, "a", "x", 401);
  assertEquals(await call(guard, "a", "x", 200), 429);
});
