import { assert, assertEquals, assertRejects } from "@std/assert";
import { HOUR } from "../../../lib/time_units.ts";
import { readFailure } from "../../../server/observer/read_failure.ts";
import { LONGEST_PAUSE_MS, upstreamAccess } from "../../../server/observer/service_access.ts";
import { withReceiver } from "./receiver.ts";

const NOW = Date.UTC(2026, 2, 10);
const date = new Date(NOW).toUTCString();

/** Access to a service, by a clock that stands still. */
function accessTo(baseUrl: string, now = () => NOW) {
  const token = "a-token-of-the-observer";
  return upstreamAccess({ baseUrl, token, tokenHeader: "authorization", now });
}

async function failureOf(baseUrl: string): Promise<string | undefined> {
  const { backend } = accessTo(baseUrl);
  return readFailure(await assertRejects(() => backend.reportSchedules.history(7)))?.words;
}

Deno.test("upstreamAccess: an answer is asked for once, and what is no history says which field", () =>
  withReceiver(
    () => Response.json([{ id: 2 }, { id: 1, endTime: 1_769_817_600 }], { headers: { date } }),
    async (origin, received) => {
      const words = "The service's answer is not a history: endTime must be a date-time, as text " +
        "or in milliseconds since 1970, but is of type number";
      assertEquals([await failureOf(origin), received.length], [words, 1]);
    },
  ));

Deno.test("upstreamAccess: a redirect is not followed, and the token goes nowhere else", () =>
  withReceiver(
    () => Response.json([]),
    (elsewhere, strayed) =>
      withReceiver(() => Response.redirect(`${elsewhere}/`, 302), async (origin) => {
        assert((await failureOf(origin))?.startsWith("The "));
        assertEquals(strayed, []);
      }),
  ));

Deno.test("upstreamAccess: a service that is away is reported with the cause, without its address", async () => {
  const words = "The service could not be reached: port not allowed";
  assertEquals(await failureOf("http://127.0.0.1:1"), words);
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
        assertEquals(readFailure(await assertRejects(async () => await ask()))?.words, words);
      }
      await ask();
      assertEquals(clock!.offset(), 500 - HOUR);
      date = NOW;
      assertEquals(readFailure(await assertRejects(async () => await ask()))?.words, words);
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
  [500, "30", 30_000],
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
