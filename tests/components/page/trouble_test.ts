import { assertEquals } from "@std/assert";
import { troubleOf } from "../../../components/page/trouble.ts";
import { HttpStatusError, ShapeError, TimeoutError } from "../../../lib/errors.ts";

Deno.test("troubleOf: says when to come back, where the service does", () => {
  const told = (status: number, retryAfterMs?: number) =>
    troubleOf(new HttpStatusError(status, "Refused", { retryAfterMs }));
  assertEquals(told(429, 59_100).detail, "It refused the request for now. Try again in 60 s.");
  assertEquals(told(429, 59_100).retryAfterSeconds, 60);
  assertEquals(told(503, 600_000).detail, "It answered with status 503. Try again in 10 minutes.");
  assertEquals(told(429).detail, "It refused the request for now. Try again in a moment.");
  assertEquals(told(429).retryAfterSeconds, 0);
  assertEquals(told(403, 1000).detail, "The token may not read this.");
});

Deno.test("troubleOf: only a refused token is helped by signing in", () => {
  assertEquals(troubleOf(new HttpStatusError(401, "Refused")).needsSignIn, true);
  assertEquals(troubleOf(new HttpStatusError(403, "Refused")).needsSignIn, false);
  assertEquals(troubleOf(new ShapeError("", "The answer is empty")).needsSignIn, undefined);
});

Deno.test("troubleOf: says what can be done about a service that is late or can't be read", () => {
  const late = troubleOf(new TimeoutError("deadline", 20_000, "It took too long"));
  assertEquals(late.detail, "It took too long. Try again in a moment.");
  const odd = troubleOf(new ShapeError("", "The answer is not JSON", { excerpt: "<h1>Log in" }));
  assertEquals(odd.said, "<h1>Log in");
  assertEquals(troubleOf(new Error("secret")).detail, "The page could not be shown.");
});
