/** What limits attempts, codes and requests. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { ProblemError } from "../../../server/http/problem.ts";
import { createAttempts, createTokenGuard } from "../../../server/auth/failed_attempts.ts";
import { createRateLimit } from "../../../server/auth/rate_limit.ts";
import { createSignInCodes, printableCode } from "../../../server/auth/sign_in_codes.ts";

const MAX_FAILURES = 10;
const WINDOW_MS = 10 * 60_000;

const right = () => Promise.resolve("token");

/** Attempts by a clock, and clients that fail or have to wait. */
function setUp() {
  const clock = { now: 0 };
  const { attempt } = createAttempts("attempts", () => clock.now);
  const fail = async (client: string, times: number) => {
    for (let time = 0; time < times; time++) {
      assertEquals(await attempt(client, () => Promise.resolve(null)), null);
    }
  };
  /** Refuses even the right one; gives how many seconds to wait. */
  const waits = async (client: string, words: string, check: () => Promise<unknown> = right) => {
    const refused = () => attempt(client, check);
    const { problem } = await assertRejects(refused, ProblemError, `Too many ${words}`);
    assertEquals(problem.status, 429);
    return problem.retryAfterSeconds;
  };
  return { clock, attempt, fail, waits };
}

Deno.test("createAttempts: failures alone count; after too many, even the right one has to wait", async () => {
  const { clock, attempt, fail, waits } = setUp();
  const broken = () => Promise.reject(new Error("the service is away"));
  for (let time = 0; time < 2 * MAX_FAILURES; time++) {
    assertEquals(await attempt("a", right), "token");
    await assertRejects(() => attempt("a", broken), Error, "away");
  }
  // People of one address sign in together.
  const people = Array.from({ length: MAX_FAILURES }, () => attempt("a", right));
  assertEquals(new Set(await Promise.all(people)), new Set(["token"]));
  // A window begins with the first failure.
  clock.now = WINDOW_MS - 1;
  await fail("a", MAX_FAILURES);
  clock.now += WINDOW_MS - 61_000;
  assertEquals(await waits("a", "failed attempts; try again in 1 min 01 s"), 61);
  clock.now += 61_000;
  await fail("a", MAX_FAILURES);
});

Deno.test("createAttempts: however many come at once, no more than may fail are judged", async () => {
  const { attempt, fail, waits } = setUp();
  await fail("a", MAX_FAILURES - 3);
  const answer = Promise.withResolvers<null>();
  let checked = 0;
  const slow = () => (checked++, answer.promise);
  const running = Array.from({ length: 3 }, () => attempt("a", slow));
  for (let time = 0; time < 30; time++) {
    assertEquals([await waits("a", "attempts at once", slow), checked], [5, 3]);
  }
  assertEquals(await attempt("b", right), "token");
  answer.resolve(null);
  await Promise.all(running);
  await waits("a", "failed attempts");
});

Deno.test("createTokenGuard: after too many rejected tokens a client waits, but for an accepted one", async () => {
  let now = 0;
  const { check } = createTokenGuard(() => now);
  /** Calls with a token that the service answers with a status; gives that of the answer. */
  const call = (client: string, token: string, status: number) =>
    check(client, token, () => Promise.resolve(new Response(null, { status }))).then(
      (answer) => answer.status,
      (error: ProblemError) => error.problem.status,
    );
  for (let time = 0; time < MAX_FAILURES; time++) {
    // What could not be judged, or may lack file sets alone, accepts nothing and rejects nothing.
    for (const status of [400, 403, 404, 429, 502]) {
      assertEquals(await call("a", "right", status), status);
    }
    assertEquals(await call("a", `guess ${time}`, 401), 401);
  }
  assertEquals(await call("a", "right", 200), 429);
  // One token counts once, however often it is sent at once.
  const answers = await Promise.all(Array.from({ length: 30 }, () => call("b", "right", 200)));
  assertEquals(new Set(answers), new Set([200]));
  now = WINDOW_MS;
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
  const replaced = codes.issue();
  const code = codes.issue();
  assertEquals([replaced, "wrong", ""].map(codes.redeem), [false, false, false]);
  now += 10 * 60_000 - 1;
  assertEquals([codes.redeem(code), codes.redeem(code)], [true, false]);
  const late = codes.issue();
  now += 10 * 60_000;
  assertEquals(codes.redeem(late), false);
});

Deno.test("printableCode: there is one on a loopback address alone, and behind no proxy", () => {
  const signInCodes = createSignInCodes();
  const isPrinted = (host: string, publicOrigin: string | null = null) =>
    printableCode({ settings: { host, publicOrigin }, signInCodes }) !== null;
  assertEquals([isPrinted("127.0.0.1"), isPrinted("0.0.0.0")], [true, false]);
  assertEquals(isPrinted("127.0.0.1", "https://docket.example.com"), false);
});
