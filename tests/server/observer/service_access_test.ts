import { assertEquals, assertRejects } from "@std/assert";
import { HOUR, MINUTE, SECOND } from "../../../lib/time_units.ts";
import { readFailure } from "../../../server/observer/read_failure.ts";
import { LONGEST_PAUSE_MS, upstreamAccess } from "../../../server/observer/service_access.ts";
import { withReceiver } from "./receiver.ts";

const NOW = Date.UTC(2026, 2, 10);
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
  const wall = { now: NOW };
  let [date, takes] = [NOW - HOUR, 0];
  const { clock, ask, failure } = upstreamAt(() => {
    wall.now += takes;
    return Response.json([], { headers: dateAt(date) });
  }, wall);
  assertEquals(clock!.offset(), null);
  const words = "The answer is stale: its date is not that of the service's other answers";
  // Until three answers agree, the service's clock is assumed to be right.
  for (let answer = 0; answer < 3; answer++) assertEquals(await failure(), words);
  await ask();
  assertEquals(clock!.offset(), 500 - HOUR);
  date = NOW;
  assertEquals([await failure(), clock!.offset()], [words, 500 - HOUR]);
  // The process was suspended meanwhile.
  takes = HOUR / 2;
  const before = clock!.latest();
  assertEquals([[...await ask()], clock!.latest()], [[], before]);
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

Deno.test("upstreamAccess: one wrong date is not believed, but a clock that most show is", async () => {
  /** Access to a service that answers with dates; whether such an answer is believed. */
  function answering() {
    let date = NOW;
    const { clock, ask } = upstreamAt(() => Response.json([], { headers: dateAt(date) }));
    /** The header has whole seconds, so an offset is from the middle of one. */
    const believes = async (offset: number) => {
      date = NOW + offset;
      return await ask().then(() => true, () => false);
    };
    return { clock: clock!, believes };
  }
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
});
