import { assertEquals } from "@std/assert";
import { errorMessageOf } from "../../../components/page/error_message.ts";
import { HttpStatusError, ShapeError, TimeoutError } from "../../../lib/errors.ts";

Deno.test("errorMessageOf: says when to come back, where the service does", () => {
  const messageOf = (status: number, retryAfterMs?: number) =>
    errorMessageOf(new HttpStatusError(status, "Refused", { retryAfterMs }));
  assertEquals(messageOf(429, 59_100).detail, "It is limiting requests. Try again in 60 s.");
  assertEquals(messageOf(429, 59_100).retryAfterSeconds, 60);
  assertEquals(
    messageOf(503, 600_000).detail,
    "It responded with status 503. Try again in 10 minutes.",
  );
  assertEquals(messageOf(429).detail, "It is limiting requests. Try again in a moment.");
  assertEquals(messageOf(429).retryAfterSeconds, 0);
  assertEquals(messageOf(403, 1000).detail, "Your token does not allow this.");
});

Deno.test("errorMessageOf: only a refused token is helped by signing in", () => {
  assertEquals(errorMessageOf(new HttpStatusError(401, "Refused")).needsSignIn, true);
  assertEquals(errorMessageOf(new HttpStatusError(403, "Refused")).needsSignIn, false);
  assertEquals(errorMessageOf(new ShapeError("", "The answer is empty")).needsSignIn, undefined);
});

Deno.test("errorMessageOf: says what can be done about a service that is late or can't be read", () => {
  const late = errorMessageOf(new TimeoutError("deadline", 20_000, "It took too long"));
  assertEquals(late.detail, "It took too long. Try again in a moment.");
  const odd = errorMessageOf(
    new ShapeError("", "The answer is not JSON", { excerpt: "<h1>Log in" }),
  );
  assertEquals(odd.excerpt, "<h1>Log in");
  assertEquals(errorMessageOf(new Error("secret")).detail, "The page could not be shown.");
});
