import { assertEquals } from "@std/assert";
import { errorMessageOf, formatWait } from "../../../components/page/error_message.ts";
import { HttpStatusError, NetworkError, ShapeError, TimeoutError } from "../../../lib/errors.ts";

Deno.test("errorMessageOf: says when to try again, if the service does", () => {
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

Deno.test("errorMessageOf: offers to sign in only after a rejected token", () => {
  assertEquals(errorMessageOf(new HttpStatusError(401, "Refused")).needsSignIn, true);
  assertEquals(errorMessageOf(new HttpStatusError(403, "Refused")).needsSignIn, false);
  assertEquals(errorMessageOf(new ShapeError("", "The answer is empty")).needsSignIn, undefined);
});

Deno.test("errorMessageOf: offers to try again only if that may succeed", () => {
  const errors = [
    ...[400, 401, 404, 429, 500].map((status) => new HttpStatusError(status, "Refused")),
    new NetworkError("lost"),
    new Error("secret"),
  ];
  assertEquals(errors.map((error) => errorMessageOf(error).mayRetry), [
    ...[false, false, false, true, true],
    ...[true, true],
  ]);
});

Deno.test("errorMessageOf: says what to do about a slow or unreadable service", () => {
  const late = errorMessageOf(new TimeoutError("deadline", 20_000, "It took too long"));
  assertEquals(late.detail, "It took too long. Try again in a moment.");
  const odd = errorMessageOf(
    new ShapeError("", "The answer is not JSON", { excerpt: "<h1>Log in" }),
  );
  assertEquals(odd.excerpt, "<h1>Log in");
  assertEquals(errorMessageOf(new Error("secret")).detail, "The page could not be shown.");
});

Deno.test("errorMessageOf: has its own words for each kind of rejection", () => {
  const words = (status: number) => {
    const { title, detail } = errorMessageOf(new HttpStatusError(status, "Refused"));
    return `${title}: ${detail}`;
  };
  assertEquals([400, 401, 403, 404].map(words), [
    "The service rejected this request: The request is not valid.",
    "You are no longer signed in: The service no longer accepts your token.",
    "Access denied: Your token does not allow this.",
    "Not found: It may have been deleted, or the id may be mistyped.",
  ]);
  assertEquals(words(429).split(":")[0], "The service is busy");
  assertEquals(
    words(500),
    "The service failed: It responded with status 500. Try again in a moment.",
  );
  assertEquals(words(428), "The service failed: It responded with status 428.");
});

Deno.test("errorMessageOf: distinguishes unreachable services from unreadable answers", () => {
  const titleOf = (error: unknown) => errorMessageOf(error).title;
  assertEquals(
    titleOf(new TimeoutError("deadline", 1, "Late")),
    "The service took too long to respond",
  );
  assertEquals(titleOf(new ShapeError("", "Odd")), "The service sent an unexpected response");
  assertEquals(titleOf(new Error("secret")), "Something went wrong");
  assertEquals(
    errorMessageOf(new ShapeError("", "Odd")).detail,
    "Odd. Try again. If this keeps happening, ask whoever runs Docket.",
  );
  const lost = errorMessageOf(new NetworkError("secret"));
  assertEquals(lost.title, "The service can't be reached");
  assertEquals(lost.detail, "The connection failed. Try again in a moment.");
});

Deno.test("errorMessageOf: makes a sentence of the service's message, unless it lists issues", () => {
  const message = (detail: string, errors: { detail: string; pointer: string }[] = []) =>
    errorMessageOf(
      new HttpStatusError(400, "Refused", { problem: { detail, errors }, excerpt: "{" }),
    );
  assertEquals(message("Too many keys").detail, "Too many keys.");
  assertEquals(message("Too many keys!").detail, "Too many keys!");
  assertEquals(message("").detail, "The request is not valid.");
  const listed = message("Invalid", [{ detail: "is unknown", pointer: "/filters/1/field" }]);
  assertEquals(listed.detail, "The request is not valid.");
  assertEquals(listed.issues, ["condition 2 field: is unknown"]);
  assertEquals(listed.excerpt, undefined);
});

Deno.test("formatWait: seconds up to two minutes, then whole minutes", () => {
  assertEquals([1, 119, 120, 121].map(formatWait), ["1 s", "119 s", "2 minutes", "3 minutes"]);
});
