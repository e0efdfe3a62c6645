import { assertEquals } from "@std/assert";
import { describeProgress } from "../../../server/schedules/coverage.ts";
import { HttpStatusError } from "../../../lib/errors.ts";
import { beginScan, continueScan, type ScanServices } from "../../../server/schedules/scan.ts";
import { stopScan } from "../../../server/actions/scans.ts";
import type { CountedSearch } from "../../../server/store/records/id_searches.ts";
import { observerRecordsOn } from "../../../server/store/records/observer_records.ts";
import { withSqlite } from "../store/sqlite/with_sqlite.ts";

const START = Date.UTC(2026, 10, 23, 7);
const RANGE = { from: 1, to: 60, rate: 10 };

type Answer = "runs" | "empty" | "slow" | "never" | number;

/** A service that answers by id, a clock that only waiting moves, and the ids that were asked for. */
async function withService(
  answerOf: (id: number, count: number) => Answer,
  test: (
    world: ScanServices & { readonly asked: number[]; readonly finish: () => Promise<void> },
  ) => Promise<void>,
) {
  await withSqlite(async (database) => {
    const asked: number[] = [];
    let at = START;
    let paused = 0;
    const services: ScanServices = {
      records: observerRecordsOn(database),
      now: () => at,
      sleep(ms) {
        if (ms < 0) throw new RangeError(`can't wait for ${ms} ms`);
        return Promise.resolve(void (at += ms));
      },
      access: {
        pausedUntil: () => paused,
        backend: {
          fileSets: { search: () => Promise.reject(new Error("not asked")) },
          reportSchedules: {
            history(id) {
              asked.push(id);
              const answer = answerOf(id, asked.length);
              if (answer === "empty") return Promise.resolve([]);
              if (answer === "never") return new Promise(() => {});
              if (answer === "slow") at += 3600;
              if (answer === "runs" || answer === "slow") return Promise.resolve([{ id: 1 }]);
              if (answer === 429) paused = at + 90_000;
              return Promise.reject(new HttpStatusError(answer, "no"));
            },
          },
        },
      },
    };
    async function finish(): Promise<void> {
      for (let turns = 0; turns < 100; turns++) {
        if (!await continueScan(services)) return;
        at += 30_000;
      }
    }
    await test({ ...services, asked, finish });
  });
}

/** How many ids were asked for. */
function askedOf({ answers }: CountedSearch): number {
  return Object.values(answers).reduce((sum, count) => sum + count, 0);
}

const begin = ({ records, now }: Pick<ScanServices, "records" | "now">, range: typeof RANGE) =>
  beginScan(records, { ...range, now: now() });

const PLANTED = { from: 1, to: 1000, rate: 10 };

/** What a planted service has: holes, schedules without runs, forbidden and failing ids. */
function planted(id: number): Answer {
  if (id > PLANTED.to || id % 5 === 0) return 404;
  if (id % 7 === 0) return 403;
  return id % 11 === 0 ? 500 : id % 13 ? "runs" : "empty";
}

Deno.test("continueScan: the inventory equals what the service has, after an instance was killed too", () => {
  const killed = Promise.withResolvers<void>();
  let kills = 0;
  const answerOf = (id: number) => {
    if (id !== 501 || kills++ > 0) return planted(id);
    killed.resolve();
    return "never";
  };
  return withService(answerOf, async (world) => {
    const { records, finish, now, asked } = world;
    await begin({ records, now }, PLANTED);
    const firstInstance = async () => {
      while (await continueScan(world));
    };
    await Promise.race([firstInstance(), killed.promise]);
    await finish();
    const [search] = await records.idSearches.searches();
    assertEquals([search.ended === null, search.stopped, search.answersEmpty], [
      false,
      null,
      false,
    ]);
    const ids = Array.from({ length: PLANTED.to }, (_, at) => at + 1);
    const having = ids.filter((id) => ["runs", "empty"].includes(String(planted(id))));
    assertEquals((await records.idSearches.changes(search)).found, having);
    const count = (answer: Answer) => ids.filter((id) => planted(id) === answer).length;
    assertEquals(search.answers, {
      exists: count("runs"),
      "never-ran": count("empty"),
      missing: count(404),
      forbidden: count(403),
      failed: count(500),
    });
    assertEquals(await records.watches.countKnown(), having.length);
    assertEquals(await records.watches.any(), false);
    // An id that fails is asked for three times, the one of the killed instance twice, any other once;
    // both instances ask for an id that no service has.
    assertEquals(asked.length, 1 + PLANTED.to + 2 * count(500) + 1);
  });
});

Deno.test("continueScan: the time left is that of a service which is slower than the rate", () =>
  withService(() => "slow", async (world) => {
    const range = { ...RANGE, to: 1000 };
    await begin(world, range);
    await continueScan(world);
    const search = (await world.records.idSearches.open())!;
    assertEquals(Math.round(search.msPerId! / 1000), 4);
    assertEquals(
      describeProgress({ ...search, msPerId: 3600 }, search.started),
      "8 of 1,000 ids checked, at least 59 min 32 s left",
    );
    // So is the time left in the first turn, which has stored no pace yet.
    assertEquals(
      describeProgress({ ...search, next: 11, msPerId: null }, search.started + 36_000),
      "10 of 1,000 ids checked, at least 59 min 24 s left",
    );
  }));

Deno.test("continueScan: goes on where it was, and then says what is new and what vanished", () => {
  let has = (id: number) => id <= 40;
  return withService((id) => has(id) ? "runs" : 404, async (world) => {
    const { records, finish, now, asked } = world;
    await begin({ records, now }, RANGE);
    // A turn ends after half a minute.
    await continueScan({ ...world, sleep: () => world.sleep(3000) });
    assertEquals(asked.length, 11);
    await begin({ records, now }, RANGE);
    await finish();
    assertEquals(asked.filter((id) => id <= 60).length, 60);
    has = (id) => id > 2 && id <= 41;
    await begin({ records, now }, { ...RANGE, rate: 20 });
    await finish();
    const [search] = await records.idSearches.searches();
    assertEquals(await records.idSearches.changes(search), { found: [41], vanished: [1, 2] });
  });
});

Deno.test("continueScan: waits as long as the service asks, and loses no id", () => {
  let refused = 0;
  return withService((id) => id === 30 && refused++ === 0 ? 429 : "runs", async (world) => {
    const { records, finish, now } = world;
    await begin({ records, now }, RANGE);
    await finish();
    const [search] = await records.idSearches.searches();
    assertEquals(search.answers.exists, 60);
    assertEquals(search.ended! - START >= 90_000, true);
  });
});

Deno.test("continueScan: a service that is down or refuses stops it", () => {
  let status = 503;
  return withService((id) => id > 20 ? status : "runs", async ({ records, finish, now }) => {
    await begin({ records, now }, RANGE);
    await finish();
    let [search] = await records.idSearches.searches();
    assertEquals(search.stopped, "10 ids in a row could not be checked");
    assertEquals(askedOf(search), 20);
    status = 401;
    await begin({ records, now }, RANGE);
    await finish();
    [search] = await records.idSearches.searches();
    assertEquals(search.stopped, "The service rejected the token: set OBSERVER_TOKEN");
    assertEquals(askedOf(search), 20);
  });
});

/** Scans the range; gives whether unknown ids are answered with empty lists, and what is known then. */
async function scanned(
  answerOf: (id: number, count: number) => Answer,
  first: (world: ScanServices) => Promise<unknown> = () => Promise.resolve(),
) {
  let found: unknown[] = [];
  await withService(answerOf, async (world) => {
    const { records, finish } = world;
    await begin(world, RANGE);
    await first(world);
    await finish();
    const [{ answersEmpty, answers }] = await records.idSearches.searches();
    found = [answersEmpty, await records.watches.countKnown(), answers["never-ran"]];
  });
  return found;
}

Deno.test("continueScan: a service that answers any id with an empty list fills no inventory", async () => {
  assertEquals(await scanned((id) => id === 7 ? "runs" : "empty"), [true, 1, 59]);
  // One that refuses the largest id is asked for a smaller one; one that fails, again.
  assertEquals(await scanned((id) => id > 2 ** 31 ? 400 : "empty"), [true, 0, 60]);
  const pausing = (world: ScanServices) =>
    continueScan({ ...world, sleep: (ms) => world.sleep(ms + 30_000) });
  const failing = (id: number, count: number) => id > 60 && count < 7 ? 500 : "empty";
  assertEquals(await scanned(failing, pausing), [true, 0, 60]);
});

Deno.test("continueScan: asks for no id while the service asks for no requests", () =>
  withService((_id, count) => count === 1 ? 429 : "runs", async (world) => {
    await begin(world, RANGE);
    await continueScan(world);
    assertEquals(world.asked.length, 1);
  }));

Deno.test("continueScan: one instance asks at a time, and a person can stop it", () =>
  withService(() => "runs", async (world) => {
    const { records, now, asked } = world;
    await begin({ records, now }, RANGE);
    const sleep = async () => {
      await continueScan(world);
      if (asked.length === 5) await stopScan({ records });
    };
    await continueScan({ ...world, sleep });
    assertEquals([asked.length, await records.idSearches.open()], [5, undefined]);
    assertEquals((await records.idSearches.searches())[0].stopped, "Stopped by a person");
  }));
