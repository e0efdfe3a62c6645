/** How the observer reaches the service, and what it makes of failures. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  HttpStatusError,
  NetworkError,
  ShapeError,
  StalledError,
  TimeoutError,
} from "../../../lib/errors.ts";
import { HOUR, MINUTE, SECOND } from "../../../lib/time_units.ts";
import { JudgingError } from "../../../server/observer/judging/judging.ts";
import { isIncident, KINDS, readFailure } from "../../../server/observer/read_failure.ts";
import {
  LONGEST_PAUSE_MS,
  StaleAnswerError,
  upstreamAccess,
} from "../../../server/observer/service_access.ts";
import type { LeasedWatch } from "../../../server/store/records/polls.ts";
import { withReceiver } from "./receiver.ts";

const NOW = Date.UTC(2026, 2, 10);
const STALE = "The answer is stale:";

const answered = (status: number) => new HttpStatusError(status, "secret words", {});
const stale = new StaleAnswerError("schedule 1 lacks 2 runs", [7, 8]);
const dateAt = (at: number) => ({ date: new Date(at).toUTCString() });

/** Access to a service, or to one that answers so; its clock moves only when an answer takes time. */
function upstreamAt(service: string | (() => Response), clock = { now: NOW }) {
  const isUrl = typeof service === "string";
  const access = upstreamAccess({
    baseUrl: isUrl ? service : "https://service.example",
    ...{ token: "token", tokenHeader: "authorization", now: () => clock.now },
    ...isUrl ? {} : { send: () => Promise.resolve(service()) },
  });
  const ask = async () => await access.backend.reportSchedules.history(7);
  const failure = async () => readFailure(await assertRejects(ask))?.words;
  return { ...access, ask, failure };
}

Deno.test("upstreamAccess: asks once, follows no redirect, and says what is wrong", async () => {
  let calls = 0;
  const { failure } = upstreamAt(() => {
    calls++;
    return Response.json([{ id: 2 }, { id: 1, endTime: 1_769_817_600 }], { headers: dateAt(NOW) });
  });
  const words = "The service's answer is not a history: endTime must be a date-time, as text " +
    "or in milliseconds since 1970, but is of type number";
  assertEquals([await failure(), calls], [words, 1]);
  await withReceiver(() => Response.redirect("http://127.0.0.1:1/"), async (origin) => {
    assertEquals(await upstreamAt(origin).failure(), "The service answered with status 302");
    const absent = "The service could not be reached: port not allowed";
    assertEquals(await upstreamAt("http://127.0.0.1:1").failure(), absent);
  });
});

Deno.test("upstreamAccess: an answer with another date than most is stale, unless under way for long", async () => {
  /** Access to a service that answers with dates; whether such an answer is believed. */
  function answering() {
    const wall = { now: NOW };
    let [date, takes] = [NOW, 0];
    const { clock, ask } = upstreamAt(() => {
      wall.now += takes;
      return Response.json([], { headers: dateAt(date) });
    }, wall);
    /** The header has whole seconds, so an offset is from the middle of one. */
    const believes = async (offset: number, took = 0) => {
      [date, takes] = [wall.now + offset, took];
      const words = await ask().then(() => null, (error) => readFailure(error)?.words);
      if (words !== null) {
        assertEquals(words, `${STALE} its date is not that of the service's other answers`);
      }
      return words === null;
    };
    return { clock: clock!, believes };
  }
  assertEquals(answering().clock.offset(), null);
  const late = MINUTE - SECOND;
  for (const wrongAt of [0, 1, 5]) {
    const { clock, believes } = answering();
    for (let answer = 0; answer < 12; answer++) {
      const isWrong = answer === wrongAt;
      assertEquals(await believes(isWrong ? -MINUTE - SECOND : late), !isWrong);
      if (answer > 1) assertEquals(clock.offset(), late + SECOND / 2);
    }
  }
  const { clock, believes } = answering();
  // Those that another instance found.
  clock.startWith(Array(9).fill(0));
  const believed = [];
  for (let answer = 0; answer < 7; answer++) believed.push(await believes(HOUR));
  assertEquals(believed, [false, false, false, false, false, true, true]);
  clock.startWith([0]);
  assertEquals(clock.offset(), HOUR + SECOND / 2);
  // The process was suspended meanwhile.
  const before = clock.latest();
  assertEquals([await believes(0, HOUR / 2), clock.latest()], [true, before]);
});

Deno.test("upstreamAccess: 429, or Retry-After with any status, is a pause", async () => {
  const pauses = [
    [429, "120", 120 * SECOND],
    [429, new Date(NOW + MINUTE).toUTCString(), MINUTE],
    [429, null, 10 * SECOND],
    [429, "0", 10 * SECOND],
    [429, "999999", LONGEST_PAUSE_MS],
    [503, "30", 30 * SECOND],
    [500, null, -NOW],
  ] as const;
  for (const [status, retryAfter, pause] of pauses) {
    const headers: HeadersInit = retryAfter ? { "retry-after": retryAfter } : {};
    const clock = { now: NOW };
    const access = upstreamAt(() => new Response("x", { status, headers }), clock);
    await access.failure();
    assertEquals(access.pausedUntil() - NOW, pause, `${status} ${retryAfter}`);
    // One from before the clock was put back does not count.
    clock.now -= 2 * LONGEST_PAUSE_MS;
    assertEquals(access.pausedUntil(), 0);
  }
});

/** Each error, its kind, whose failure it is, after how many it is an incident, how its words end. */
const ROWS = [
  [answered(401), "token service 1", "refused OBSERVER_TOKEN (status 401)"],
  [answered(403), "refused schedule 1", "does not let OBSERVER_TOKEN read it (status 403)"],
  [answered(404), "missing schedule 1", "has no such schedule, or hides it (status 404)"],
  [answered(409), "refused schedule 1", "The service answered with status 409"],
  [answered(400), "broken unknown 2", "The service answered with status 400"],
  [answered(500), "broken unknown 2", "The service answered with status 500"],
  [new NetworkError("away"), "broken unknown 2", "The service could not be reached"],
  [new TimeoutError("attempt", 1, ""), "broken unknown 2", "The service did not answer in time"],
  [new ShapeError("", "HTML"), "broken unknown 2", "The service's answer is not a history"],
  [new ShapeError("[3].a", " of the answer must be b"), "broken unknown 2", "a must be b"],
  [new StalledError(120, ""), "broken unknown 2", "it ignores skip, or repeats itself"],
  [new JudgingError("It takes too long"), "unjudged schedule 2", "The history could not be judged"],
  [stale, "stale service never", `${STALE} schedule 1 lacks 2 runs`],
  // The client wraps what its fetch throws.
  [new NetworkError("", { cause: stale }), "stale service never", "schedule 1 lacks 2 runs"],
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
    assertEquals([found, failure.words.endsWith(words)], [kind, true], failure.words);
  }
  // The service asks to wait, or no worker had time.
  for (const error of [answered(429), new JudgingError("busy", true)]) {
    assertEquals(readFailure(error), null);
  }
  assertThrows(() => readFailure(new TypeError("the database is gone")), TypeError);
});
