import { assertEquals, assertThrows } from "@std/assert";
import {
  HttpStatusError,
  NetworkError,
  ShapeError,
  StalledError,
  TimeoutError,
} from "../../../lib/errors.ts";
import { MINUTE, SECOND } from "../../../lib/time_units.ts";
import { JudgingError } from "../../../server/observer/judging/judging.ts";
import { isIncident, KINDS, readFailure } from "../../../server/observer/read_failure.ts";
import { StaleAnswerError } from "../../../server/observer/service_access.ts";
import type { LeasedWatch } from "../../../server/store/records/polls.ts";

const NOW = Date.UTC(2026, 2, 10);

const status = (status: number) => new HttpStatusError(status, "secret words", {});
const stale = new StaleAnswerError("schedule 1 lacks 2 runs", [7, 8]);

/** Each error, its kind, whose failure it is, and whether the first and the second are incidents. */
const ROWS = [
  [status(401), "token", "service", true, true],
  [status(403), "refused", "schedule", true, true],
  [status(404), "refused", "schedule", true, true],
  [status(409), "refused", "schedule", true, true],
  [status(400), "broken", "unknown", false, true],
  [status(500), "broken", "unknown", false, true],
  [status(503), "broken", "unknown", false, true],
  [new NetworkError("away"), "broken", "unknown", false, true],
  [new TimeoutError("attempt", 1, "late"), "broken", "unknown", false, true],
  [new ShapeError("", "HTML"), "broken", "unknown", false, true],
  [new StalledError(120, "again"), "broken", "unknown", false, true],
  [new JudgingError("It takes too long"), "unjudged", "schedule", false, true],
  [stale, "stale", "service", false, false],
  // The client wraps what its fetch throws.
  [new NetworkError("x", { cause: stale }), "stale", "service", false, false],
] as const;

/** A watch that failed so often in a row, `ms` ago for the first time. */
function failed(failures: number, ms = MINUTE, failure = "The service answered with status 500") {
  const failingSince = failures > 0 ? NOW - ms : null;
  return { failures, failingSince, failure: failures > 0 ? failure : null } as LeasedWatch;
}

for (const [error, kind, about, isFirst, isSecond] of ROWS) {
  const name = `${error.name} ${"status" in error ? error.status ?? "" : ""}`.trim();
  Deno.test(`readFailure: ${name} is ${kind}${error.cause ? ", though wrapped" : ""}`, () => {
    const failure = readFailure(error)!;
    assertEquals([failure.kind, KINDS[failure.kind].about], [kind, about]);
    const incidents = [failed(0), failed(1)].map((watch) => isIncident(failure, watch, NOW));
    assertEquals(incidents, [isFirst, isSecond]);
  });
}

Deno.test("readFailure: 429 and a lack of workers are no failure, and other errors are thrown", () => {
  assertEquals([readFailure(status(429)), readFailure(new JudgingError("busy", true))], [
    null,
    null,
  ]);
  assertThrows(() => readFailure(new TypeError("the database is gone")), TypeError);
});

Deno.test("isIncident: stale answers count after five minutes, and are no failure before another", () => {
  const failure = readFailure(stale)!;
  const after = (ms: number) => isIncident(failure, failed(9, ms), NOW);
  assertEquals([after(5 * MINUTE - 1), after(5 * MINUTE)], [false, true]);
  const before = failed(3, MINUTE, failure.words);
  assertEquals(isIncident(readFailure(status(502))!, before, NOW), false);
  assertEquals(KINDS.stale.againMs, 30 * SECOND);
});

Deno.test("readFailure: its words name the cause, and quote neither the service nor an address", () => {
  const words = (error: unknown) => readFailure(error)!.words;
  assertEquals([status(401), status(403), status(404), status(500)].map(words), [
    "The service refused OBSERVER_TOKEN (status 401)",
    "The service does not let OBSERVER_TOKEN read it (status 403)",
    "The service has no such schedule (status 404)",
    "The service answered with status 500",
  ]);
  assertEquals(words(stale), "The answer is stale: schedule 1 lacks 2 runs");
  const path = "[3].endTime";
  const rule = "endTime of the answer must be a date-time, but is 7";
  assertEquals(
    words(new ShapeError(path, rule)),
    "The service's answer is not a history: endTime must be a date-time, but is 7",
  );
  assertEquals(
    words(new StalledError(120, "The page is one that was read before")),
    "The service does not return the rest of the history: it ignores skip, or repeats itself",
  );
});
