import { assert, assertEquals, assertRejects } from "@std/assert";
import { HOUR } from "../../../../lib/time_units.ts";
import { HttpStatusError, StalledError } from "../../../../lib/errors.ts";
import {
  failureWords,
  isTooMany,
  lacking,
  LONGEST_PAUSE_MS,
  upstreamAccess,
} from "../../../../server/observer/polling/service_access.ts";
import { withReceiver } from "../receiver.ts";

const NOW = Date.UTC(2026, 2, 10);

/** Access to a service, by a clock that stands still. */
function accessTo(baseUrl: string, now = () => NOW) {
  const token = "a-token-of-the-observer";
  return upstreamAccess({ baseUrl, token, tokenHeader: "authorization", now });
}

async function failureOf(baseUrl: string): Promise<string> {
  const { backend } = accessTo(baseUrl);
  return failureWords(await assertRejects(() => backend.reportSchedules.history(7)));
}

const date = new Date(NOW).toUTCString();
const html = () =>
  new Response("<h1>Sign in</h1>", { headers: { "content-type": "text/html", date } });
const ANSWERS: readonly (readonly [string, () => Response])[] = [
  ["The service refused OBSERVER_TOKEN (status 401)", () => new Response("x", { status: 401 })],
  ["The service has no such schedule (status 404)", () => new Response("x", { status: 404 })],
  ["The service answered with status 500", () => new Response("x", { status: 500 })],
  ["The service's answer is not a history", html],
  [
    "The service's answer is not a history",
    () => Response.json({ runs: [] }, { headers: { date } }),
  ],
  [
    "The service's answer is not a history: endTime must be a date-time, as text or in milliseconds since 1970, but is of type number",
    () => Response.json([{ id: 2 }, { id: 1, endTime: 1_769_817_600 }], { headers: { date } }),
  ],
];
for (const [words, answer] of ANSWERS) {
  Deno.test(`upstreamAccess: ${words}, after one request (${answer().headers.get("content-type")})`, () =>
    withReceiver(answer, async (origin, received) => {
      assertEquals([await failureOf(origin), received.length], [words, 1]);
    }));
}

Deno.test("upstreamAccess: a redirect is not followed, and the token goes nowhere else", () =>
  withReceiver(
    () => Response.json([]),
    (elsewhere, strayed) =>
      withReceiver(() => Response.redirect(`${elsewhere}/`, 302), async (origin) => {
        assert((await failureOf(origin)).startsWith("The "));
        assertEquals(strayed, []);
      }),
  ));

Deno.test("upstreamAccess: a service that is away is reported with the cause, without its address", async () => {
  const words = "The service could not be reached: port not allowed";
  assertEquals(await failureOf("http://127.0.0.1:1"), words);
});

Deno.test("lacking: says which runs an answer lacks, and which are open again", () => {
  const said = (...[ids, reopened]: Parameters<typeof lacking>) => {
    const { message, runs } = lacking(ids, reopened);
    assertEquals(runs, [...ids, ...reopened]);
    return message.replace("The answer is stale: ", "");
  };
  const lacks = "it lacks 2 runs that were read before, such as 7";
  const reopens = "it shows run 9 as it was before it ended";
  assertEquals([said([7, 8], []), said([], [9])], [lacks, reopens]);
  assertEquals(said([7, 8], [9]), `${lacks}, and ${reopens}`);
});

Deno.test("isTooMany: a status 429, and no other error", () => {
  const errors = [429, 500].map((status) => new HttpStatusError(status, "x", {}));
  assertEquals([...errors, new StalledError(1, "x")].map(isTooMany), [true, false, false]);
});

Deno.test("failureWords: a service that repeats itself is not one whose request failed", () => {
  assertEquals(
    failureWords(new StalledError(120, "The page is one that was read before")),
    "The service does not return the rest of the history: it ignores skip, or repeats itself",
  );
});

Deno.test("upstreamAccess: an answer with another date than the service's other answers is stale", () => {
  let date = NOW - HOUR;
  return withReceiver(
    () => Response.json([], { headers: { date: new Date(date).toUTCString() } }),
    async (origin) => {
      const { backend, clock } = accessTo(origin);
      const ask = () => backend.reportSchedules.history(7);
      assertEquals(clock!.offset(), null);
      const words = "The answer is stale: its date is not that of the service's other answers";
      // Until three answers agree, the service's clock is assumed to be right.
      for (let answer = 0; answer < 3; answer++) {
        assertEquals(failureWords(await assertRejects(async () => await ask())), words);
      }
      await ask();
      assertEquals(clock!.offset(), 500 - HOUR);
      date = NOW;
      assertEquals(failureWords(await assertRejects(async () => await ask())), words);
      assertEquals(clock!.offset(), 500 - HOUR);
    },
  );
});

Deno.test("upstreamAccess: an answer during which the process was suspended says nothing of the clock", () => {
  let now = NOW;
  const answer = () => {
    now += HOUR / 2;
    return Response.json([], { headers: { date } });
  };
  return withReceiver(answer, async (origin) => {
    const { backend, clock } = accessTo(origin, () => now);
    assertEquals([...await backend.reportSchedules.history(7)], []);
    assertEquals(clock!.offset(), null);
  });
});

const PAUSES: readonly (readonly [number, string | null, number])[] = [
  [429, "120", 120_000],
  [429, new Date(NOW + 60_000).toUTCString(), 60_000],
  [429, null, 10_000],
  [429, "0", 10_000],
  [429, "999999", LONGEST_PAUSE_MS],
  [503, "30", 30_000],
];
for (const [status, retryAfter, pause] of PAUSES) {
  Deno.test(`upstreamAccess: ${status} with Retry-After ${retryAfter} is a pause of ${pause} ms`, () =>
    withReceiver(
      () => new Response("x", { status, headers: retryAfter ? { "retry-after": retryAfter } : {} }),
      async (origin) => {
        const access = accessTo(origin);
        await assertRejects(() => access.backend.reportSchedules.history(7));
        assertEquals(access.pausedUntil(), NOW + pause);
      },
    ));
}

Deno.test("upstreamAccess: a pause from before the clock was put back does not count", () =>
  withReceiver(
    () => new Response("x", { status: 429, headers: { "retry-after": "60" } }),
    async (origin) => {
      let now = NOW + 24 * HOUR;
      const access = accessTo(origin, () => now);
      const ask = () => assertRejects(() => access.backend.reportSchedules.history(7));
      await ask();
      now = NOW;
      assertEquals(access.pausedUntil(), 0);
      await ask();
      assertEquals(access.pausedUntil(), NOW + 60_000);
    },
  ));
