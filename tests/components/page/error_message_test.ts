import { assertEquals } from "@std/assert";
import { errorMessageOf, formatIssue } from "../../../components/page/error_message.ts";
import { HttpStatusError, NetworkError, ShapeError, TimeoutError } from "../../../lib/errors.ts";

const http = (status: number, retryAfterMs?: number) =>
  new HttpStatusError(status, "Refused", { retryAfterMs });

Deno.test("errorMessageOf: says what is wrong with each error, and whether to try again", () => {
  const again = "Try again in a moment.";
  const failed = "The service failed";
  const busy = "The service is busy";
  const refused = [
    [http(400), "The service rejected this request", "The request is not valid."],
    [http(401), "You are no longer signed in", "The service no longer accepts your token."],
    [http(403, 1000), "Access denied", "The service does not allow this."],
    [http(404), "Not found", "It may have been deleted, or the id may be mistyped."],
    [http(428), failed, "It responded with status 428."],
  ] as const;
  const passing = [
    [http(429), busy, `It is limiting requests. ${again}`],
    [http(429, 118_100), busy, "It is limiting requests. Try again in 119 s."],
    [http(429, 120_100), busy, "It is limiting requests. Try again in 3 minutes."],
    [http(500), failed, `It responded with status 500. ${again}`],
    [http(503, 600_000), failed, "It responded with status 503. Try again in 10 minutes."],
    [
      new TimeoutError("deadline", 20_000, "It took too long"),
      "The service took too long to respond",
      `It took too long. ${again}`,
    ],
    [new NetworkError("x"), "The service can't be reached", `The connection failed. ${again}`],
    [
      new ShapeError("", "Odd"),
      "The service sent an unexpected response",
      "Odd. Try again. If this keeps happening, ask whoever runs Docket.",
    ],
    [new Error("secret"), "Something went wrong", "The page could not be shown."],
  ] as const;
  for (const [errors, mayRetry] of [[refused, false], [passing, true]] as const) {
    for (const [error, title, detail] of errors) {
      const message = errorMessageOf(error);
      assertEquals([message.title, message.detail, message.mayRetry], [title, detail, mayRetry]);
    }
  }
});

Deno.test("errorMessageOf: offers to sign in after a rejected token, and quotes an odd answer", () => {
  const needs = (status: number) => errorMessageOf(http(status)).needsSignIn;
  assertEquals([401, 403].map(needs), [true, false]);
  const waits = (ms?: number) => errorMessageOf(http(429, ms)).retryAfterSeconds;
  assertEquals([waits(59_100), waits()], [60, 0]);
  const odd = new ShapeError("", "The answer is not JSON", { excerpt: "<h1>Log in" });
  assertEquals(errorMessageOf(odd).excerpt, "<h1>Log in");
});

Deno.test("errorMessageOf: makes a sentence of the service's message, unless it lists issues", () => {
  const message = (detail: string, errors: { detail: string; pointer: string }[] = []) =>
    errorMessageOf(
      new HttpStatusError(400, "Refused", { problem: { detail, errors }, excerpt: "{" }),
    );
  const details = ["Too many keys", "Too many keys!", ""].map((text) => message(text).detail);
  assertEquals(details, ["Too many keys.", "Too many keys!", "The request is not valid."]);
  const listed = message("Invalid", [{ detail: "is unknown", pointer: "/filters/1/field" }]);
  assertEquals([listed.detail, listed.issues, listed.excerpt], [
    "The request is not valid.",
    ["condition 2 field: is unknown"],
    undefined,
  ]);
});

Deno.test("formatIssue: names the place, counted from one", () => {
  const cases = [
    [{}, "is odd"],
    [{ parameter: "limit", pointer: "/x" }, "limit: is odd"],
    [{ pointer: "/filters/0/field" }, "condition 1 field: is odd"],
    [{ pointer: "/dateFilters/9" }, "date condition 10: is odd"],
    [{ pointer: "/fieldSort" }, "sort key: is odd"],
    [{ parameter: "limit", detail: "limit must be 1 or more" }, "limit must be 1 or more"],
  ] as const;
  for (const [issue, text] of cases) {
    assertEquals(formatIssue({ detail: "is odd", ...issue }), text);
  }
});
