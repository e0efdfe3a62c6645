import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { isProblemError, type Problem } from "../../server/problem.ts";
import {
  AT_ONCE,
  createSignInAttempts,
  FAILURES,
  SIGN_IN_WINDOW_MS,
  type SignInAttempts,
} from "../../server/sign_in_attempts.ts";

const wrong = () => Promise.resolve(null);
const right = () => Promise.resolve("token");

async function problemOf(attempt: Promise<unknown>): Promise<Problem> {
  const error = await assertRejects(() => attempt);
  if (!isProblemError(error)) throw error;
  return error.problem;
}

async function fail(attempts: SignInAttempts, client: string, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    assertEquals(await attempts.attempt(client, wrong), null);
  }
}

Deno.test("createSignInAttempts: after too many failures even the right one has to wait", async () => {
  let now = 0;
  const attempts = createSignInAttempts(() => now);
  await fail(attempts, "a", FAILURES.ofClient);
  now = SIGN_IN_WINDOW_MS - 61_000;
  const { status, detail, retryAfterSeconds } = await problemOf(attempts.attempt("a", right));
  assertEquals([status, retryAfterSeconds], [429, 61]);
  assertMatch(detail, /try again in 2 minutes/);
  now = SIGN_IN_WINDOW_MS;
  assertEquals(await attempts.attempt("a", right), "token");
});

Deno.test("createSignInAttempts: one client's failures are not another's", async () => {
  const attempts = createSignInAttempts(() => 0);
  await fail(attempts, "a", FAILURES.ofClient);
  assertEquals(await attempts.attempt("b", right), "token");
});

Deno.test("createSignInAttempts: neither successes nor what could not be judged counts", async () => {
  const attempts = createSignInAttempts(() => 0);
  const broken = () => Promise.reject(new Error("the service is away"));
  for (let time = 0; time < 2 * FAILURES.ofClient; time++) {
    assertEquals(await attempts.attempt("a", right), "token");
    await assertRejects(() => attempts.attempt("a", broken), Error, "away");
  }
  await fail(attempts, "a", FAILURES.ofClient);
});

Deno.test("createSignInAttempts: of many at once only so many are let through", async () => {
  const attempts = createSignInAttempts(() => 0);
  const answer = Promise.withResolvers<null>();
  let checked = 0;
  const slow = () => {
    checked++;
    return answer.promise;
  };
  const running = Array.from({ length: AT_ONCE.ofClient }, () => attempts.attempt("a", slow));
  const { status, retryAfterSeconds } = await problemOf(attempts.attempt("a", slow));
  assertEquals([status, retryAfterSeconds, checked], [429, 5, AT_ONCE.ofClient]);
  assertEquals(await attempts.attempt("b", right), "token");
  answer.resolve(null);
  await Promise.all(running);
  assertMatch((await problemOf(attempts.attempt("a", right))).detail, /too many failed attempts/);
});

Deno.test("createSignInAttempts: people of one address sign in together", async () => {
  const attempts = createSignInAttempts(() => 0);
  const people = Array.from({ length: AT_ONCE.ofClient }, () => attempts.attempt("a", right));
  assertEquals(new Set(await Promise.all(people)), new Set(["token"]));
  await fail(attempts, "a", FAILURES.ofClient);
});

Deno.test("createSignInAttempts: many clients together are bounded, and who is refused does not count", async () => {
  const attempts = createSignInAttempts(() => 0);
  await fail(attempts, "0", FAILURES.ofClient);
  for (let time = 0; time < FAILURES.inAll; time++) await problemOf(attempts.attempt("0", wrong));
  for (let client = 1; client < FAILURES.inAll / FAILURES.ofClient; client++) {
    await fail(attempts, String(client), FAILURES.ofClient);
  }
  assertEquals((await problemOf(attempts.attempt("new", right))).status, 429);
});

Deno.test("createSignInAttempts: the window begins with the first failure", async () => {
  let now = 0;
  const attempts = createSignInAttempts(() => now);
  assertEquals(await attempts.attempt("a", right), "token");
  now = SIGN_IN_WINDOW_MS - 1;
  await fail(attempts, "a", FAILURES.ofClient);
  now += SIGN_IN_WINDOW_MS - 1;
  assertEquals((await problemOf(attempts.attempt("a", right))).retryAfterSeconds, 1);
});
