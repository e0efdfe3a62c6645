import { assertEquals, assertThrows } from "@std/assert";
import {
  HttpStatusError,
  NetworkError,
  ShapeError,
  StalledError,
  TimeoutError,
} from "../../../lib/errors.ts";
import { MINUTE } from "../../../lib/time_units.ts";
import { JudgingError } from "../../../server/observer/judging/judging.ts";
import { isIncident, KINDS, readFailure } from "../../../server/observer/read_failure.ts";
import { StaleAnswerError } from "../../../server/observer/service_access.ts";
import type { LeasedWatch } from "../../../server/store/records/polls.ts";

const NOW = Date.UTC(2026, 2, 10);

const status = (status: number) => new HttpStatusError(status, "secret words", {});
const stale = new StaleAnswerError("schedule 1 lacks 2 runs", [7, 8]);
const NO_HISTORY = "The service's answer is not a history";
const FIELD = "must be a date-time, but is 7";
const STALE = "The answer is stale: schedule 1 lacks 2 runs";
const STALLED =
  "The service does not return the rest of the history: it ignores skip, or repeats itself";

/** Each error, its kind, whose failure it is, after how many it is an incident, its words. */
const ROWS = [
  [status(401), "token service 1", "The service refused OBSERVER_TOKEN (status 401)"],
  [
    status(403),
    "refused schedule 1",
    "The service does not let OBSERVER_TOKEN read it (status 403)",
  ],
  [status(404), "missing schedule 1", "The service has no such schedule, or hides it (status 404)"],
  [status(409), "refused schedule 1", "The service answered with status 409"],
  [status(400), "broken unknown 2", "The service answered with status 400"],
  [status(500), "broken unknown 2", "The service answered with status 500"],
  [new NetworkError("away"), "broken unknown 2", "The service could not be reached"],
  [new TimeoutError("attempt", 1, ""), "broken unknown 2", "The service did not answer in time"],
  [new ShapeError("", "HTML"), "broken unknown 2", NO_HISTORY],
  [
    new ShapeError("[3].a", `a of the answer ${FIELD}`),
    "broken unknown 2",
    `${NO_HISTORY}: a ${FIELD}`,
  ],
  [new StalledError(120, "It was read before"), "broken unknown 2", STALLED],
  [new JudgingError("It takes too long"), "unjudged schedule 2", "The history could not be judged"],
  [stale, "stale service never", STALE],
  // The client wraps what its fetch throws.
  [new NetworkError("x", { cause: stale }), "stale service never", STALE],
] as const;

/** A watch that failed so often in a row. */
function failed(failures: number) {
  const failingSince = failures > 0 ? NOW - MINUTE : null;
  return { failures, failingSince, failureKind: failures > 0 ? "broken" : null } as LeasedWatch;
}

Deno.test("readFailure: of each error its kind, whose it is, and words that quote no service", () => {
  for (const [error, kind, words] of ROWS) {
    const failure = readFailure(error)!;
    const first = [0, 1].find((failures) => isIncident(failure, failed(failures), NOW));
    const found = `${failure.kind} ${KINDS[failure.kind].about} ${(first ?? NaN) + 1 || "never"}`;
    assertEquals([found, failure.words], [kind, words]);
  }
  // The service asks to wait, or no worker had time.
  for (const error of [status(429), new JudgingError("busy", true)]) {
    assertEquals(readFailure(error), null);
  }
  assertThrows(() => readFailure(new TypeError("the database is gone")), TypeError);
});
