/** What limits attempts, codes and requests. */
import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { isProblemError, type ProblemDetails, ProblemError } from "../../../server/http/problem.ts";
import { createAttempts, createTokenGuard } from "../../../server/auth/failed_attempts.ts";
import { createRateLimit } from "../../../server/auth/rate_limit.ts";
import { createSignInCodes } from "../../../server/auth/sign_in_codes.ts";

const MAX_FAILURES = 10;
const WINDOW_MS = 10 * 60_000;

const right = () => Promise.resolve("token");

async function toProblem(attempt: Promise<unknown>): Promise<ProblemDetails> {
  const error = await assertRejects(() => attempt);
  if (!isProblemError(error)) throw error;
  return error.problem;
}

/** Attempts by a clock, and clients that fail. */
function setUp() {
  const clock = { now: 0 };
  const attempts = createAttempts("attempts", () => clock.now);
  const fail = async (client: string, times: number) => {
    for (let time = 0; time < times; time++) {
      assertEquals(await attempts.attempt(client, () => Promise.resolve(null)), null);
    }
  };
  return { clock, attempts, fail };
}

Deno.test("createAttempts: failures alone count; after too many, even the right one has to wait", async () => {
  const { clock, attempts, fail } = setUp();
  const broken = () => Promise.reject(new Error("the service is away"));
  for (let time = 0; time < 2 * MAX_FAILURES; time++) {
    assertEquals(await attempts.attempt("a", right), "token");
    await assertRejects(() => attempts.attempt("a", broken), Error, "away");
  }
  // People of one address sign in together.
  const people = Array.from({ length: MAX_FAILURES }, () => attempts.attempt("a", right));
  assertEquals(new Set(await Promise.all(people)), new Set(["token"]));
  // A window begins with the first failure.
  clock.now = WINDOW_MS - 1;
  await fail("a", MAX_FAILURES);
  clock.now += WINDOW_MS - 61_000;
  const { status, detail, retryAfterSeconds } = await toProblem(attempts.attempt("a", right));
  assertEquals([status, retryAfterSeconds], [429, 61]);
  assertMatch(detail, /try again in 1 min 01 s/);
  clock.now += 61_000;
  await fail("a", MAX_FAILURES);
});

Deno.test("createAttempts: however many come at once, no more than may fail are judged", async () => {
  const { attempts, fail } = setUp();
  await fail("a", MAX_FAILURES - 3);
  const answer = Promise.withResolvers<null>();
  let checked = 0;
  const slow = () => (checked++, answer.promise);
  const running = Array.from({ length: 3 }, () => attempts.attempt("a", slow));
  for (let time = 0; time < 30; time++) {
    const { status, retryAfterSeconds } = await toProblem(attempts.attempt("a", slow));
    assertEquals([status, retryAfterSeconds, checked], [429, 5, 3]);
  }
  assertEquals(await attempts.attempt("b", right), "token");
  answer.resolve(null);
  await Promise.all(running);
  // One that ends leaves the others counted.
  await fail("c", MAX_FAILURES - 2);
  const [ending, hanging] = [Promise.withResolvers<string>(), Promise.withResolvers<null>()];
  const ended = attempts.attempt("c", () => ending.promise);
  const others = [attempts.attempt("c", () => hanging.promise)];
  ending.resolve("token");
  await ended;
  others.push(attempts.attempt("c", () => hanging.promise));
  assertEquals((await toProblem(attempts.attempt("c", right))).retryAfterSeconds, 5);
  hanging.resolve(null);
  await Promise.all(others);
  assertMatch((await toProblem(attempts.attempt("a", right))).detail, /Too many failed attempts/);
});

Deno.test("createAttempts: the same guess several times at once counts as one", async () => {
  const { attempts } = setUp();
  const answer = Promise.withResolvers<null>();
  const guess = (words: string) => attempts.attempt("a", () => answer.promise, words);
  const same = Array.from({ length: 50 }, () => guess("same"));
  const others = Array.from({ length: MAX_FAILURES - 1 }, (_, at) => guess(String(at)));
  assertEquals((await toProblem(attempts.attempt("a", right, "one more"))).status, 429);
  answer.resolve(null);
  await Promise.all([...same, ...others]);
  // Each that failed counts all the same.
  assertMatch((await toProblem(attempts.attempt("a", right))).detail, /Too many failed attempts/);
});

/** Calls with a token that the service answers with a status; gives the status of the answer. */
function guarding() {
  const clock = { now: 0 };
  const guard = createTokenGuard(() => clock.now);
  const call = (client: string, token: string, status: number) => {
    const answer = () => Promise.resolve(new Response(null, { status }));
    return guard.check(client, token, answer).then(
      ({ status }) => status,
      (error) => isProblemError(error) ? error.problem.status : Promise.reject(error),
    );
  };
  return { clock, call };
}

Deno.test("createTokenGuard: after too many rejected tokens a client waits, but for an accepted one", async () => {
  const { clock, call } = guarding();
  for (let time = 0; time < MAX_FAILURES; time++) {
    // What could not be judged, or may lack file sets alone, accepts nothing and rejects nothing.
    for (const status of [400, 403, 404, 429, 502]) {
      assertEquals(await call("a", "right", status), status);
    }
    assertEquals(await call("a", `guess ${time}`, 401), 401);
  }
  assertEquals([await call("a", "right", 200), await call("b", "right", 200)], [429, 200]);
  clock.now = WINDOW_MS;
  assertEquals(await call("a", "right", 200), 200);
  for (let time = 0; time < MAX_FAILURES; time++) await call("a", "wrong", 401);
  assertEquals([await call("a", "wrong", 401), await call("a", "right", 200)], [429, 200]);
  // Once it is rejected, it is a token like any other.
  assertEquals([await call("a", "right", 401), await call("a", "right", 200)], [401, 429]);
});

Deno.test("createRateLimit: a token may be used again a minute later", () => {
  let now = Date.UTC(2026, 2, 10);
  const count = createRateLimit(1, () => now);
  for (const token of ["one", "other"]) count(token);
  const { problem } = assertThrows(() => count("one"), ProblemError, "again in 60 s");
  assertEquals([problem.status, problem.retryAfterSeconds], [429, 60]);
  now += 60_000;
  count("one");
  assertThrows(() => count("one"), ProblemError, "1 requests a minute");
});

Deno.test("createSignInCodes: a code is good once, for ten minutes, until there is another", () => {
  let now = 0;
  const codes = createSignInCodes(() => now);
  const code = codes.issue();
  assertEquals([codes.redeem("wrong"), codes.redeem("")], [false, false]);
  assertEquals([codes.redeem(code), codes.redeem(code)], [true, false]);
  const second = codes.issue();
  now += 10 * 60_000;
  assertEquals(codes.redeem(second), false);
  const third = codes.issue();
  assert(third !== codes.issue());
  assertEquals(codes.redeem(third), false);
  const last = codes.issue();
  now += 10 * 60_000 - 1;
  assertEquals(codes.redeem(last), true);
});
