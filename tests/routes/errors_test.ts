import { assertEquals } from "@std/assert";
import { HttpStatusError, NetworkError, ShapeError, TimeoutError } from "../../lib/errors.ts";
import { pageError } from "../../routes/_errors.ts";
import { createLog } from "../../server/log/log.ts";
import { ProblemError } from "../../server/http/problem.ts";

const ctx = {
  req: new Request("http://docket.example/"),
  state: {
    log: createLog({ level: "error", format: "json", write() {} }),
    requestId: "r-1",
  },
};

Deno.test("pageError: says what is wrong with each error, and whether to try again", () => {
  const http = (status: number, details: Partial<HttpStatusError> = {}) =>
    new HttpStatusError(status, "Refused", details);
  const busy = "The service is busy";
  const failed = "The service failed";
  const answered = (status: number, more: string) =>
    `The service answered with status ${status}${more}`;
  const refused = [
    [http(400), "The service rejected this request", answered(400, ".")],
    [http(401), "You are no longer signed in", answered(401, ".")],
    [http(403, { excerpt: "ada@x.example!" }), "Access denied", answered(403, ": a…@x.example!")],
    [http(404), "Not found", answered(404, ".")],
    [new ProblemError(409, "It has changed"), "That is not possible now", "It has changed."],
  ] as const;
  const passing = [
    [http(429), busy, answered(429, ". Try again in a moment.")],
    [http(429, { retryAfterMs: 59_100 }), busy, answered(429, ". Try again in 60 s.")],
    [http(500), failed, answered(500, ". Try again in a moment.")],
    [
      new TimeoutError("deadline", 20_000, "x"),
      "The service took too long to respond",
      "The service did not answer in time. Try again in a moment.",
    ],
    [
      new NetworkError("x"),
      failed,
      "The service could not be reached. Try again in a moment.",
    ],
    [
      new ShapeError("", "odd"),
      failed,
      "The service sent an unexpected answer: odd. Try again in a moment.",
    ],
    [
      new Error("secret"),
      "Something went wrong",
      "The server could not answer this request. Try again in a moment.",
    ],
  ] as const;
  for (const [errors, mayRetry] of [[refused, false], [passing, true]] as const) {
    for (const [thrown, title, detail] of errors) {
      const { error } = pageError(thrown, ctx);
      assertEquals([error.title, error.detail, error.mayRetry], [title, detail, mayRetry]);
      assertEquals(error.needsSignIn, title === "You are no longer signed in");
    }
  }
});

Deno.test("pageError: lists what the service rejects, and takes a page's own words", () => {
  const problem = {
    detail: "Invalid",
    errors: [{ detail: "is odd", pointer: "/filters/1/field" }],
  };
  const { error } = pageError(new HttpStatusError(400, "Refused", { problem }), ctx);
  assertEquals([error.detail, error.issues], ["Please fix:", ["condition 2 field: is odd"]]);
  const own = pageError(new HttpStatusError(403, "Refused"), ctx, {
    403: ["No file sets", "Ask."],
  });
  assertEquals([own.error.title, own.error.detail, own.status], ["No file sets", "Ask.", 403]);
});
