import { assertEquals } from "@std/assert";
import { HttpStatusError } from "../../../lib/errors.ts";
import { beginScan, continueScan } from "../../../server/schedules/scan.ts";
import { stopScan } from "../../../server/actions/scans.ts";
import {
  type ObserverRecords,
  observerRecordsOn,
} from "../../../server/store/records/observer_records.ts";
import { withSqlite } from "../store/sqlite/with_sqlite.ts";

const START = Date.UTC(2026, 10, 23, 7);
const RANGE = { from: 1, to: 60, rate: 10 };

/** What the service answers for an id: runs, an empty list, nothing ever, or a status. */
type Answer = "runs" | "empty" | "never" | number;
type AnswerOf = (id: number, count: number) => Answer;

/** A service that answers by id, and a clock that only waiting moves. */
function createWorld(records: ObserverRecords, answerOf: AnswerOf) {
  /** The ids that were asked for. */
  const requested: number[] = [];
  let at = START;
  let paused = 0;
  const history = (id: number) => {
    requested.push(id);
    const answer = answerOf(id, requested.length);
    if (answer === "never") return new Promise(() => {});
    if (answer === "empty") return Promise.resolve([]);
    if (answer === "runs") return Promise.resolve([{ id: 1 }]);
    if (answer === 429) paused = at + 90_000;
    return Promise.reject(new HttpStatusError(answer, "no"));
  };
  const services = {
    records,
    now: () => at,
    sleep(ms: number) {
      if (ms < 0) throw new RangeError(`can't wait for ${ms} ms`);
      return Promise.resolve(void (at += ms));
    },
    access: { pausedUntil: () => paused, backend: { reportSchedules: { history } } as never },
  };
  const begin = (range = RANGE) => beginScan(records, { ...range, now: at });
  /** Lets turns pass until the scan ends; gives it. */
  const finish = async () => {
    while (await continueScan(services)) at += 30_000;
    return (await records.scans.counted())[0];
  };
  const scan = (range?: typeof RANGE) => begin(range).then(finish);
  return { ...services, requested, begin, finish, scan };
}

type World = ReturnType<typeof createWorld>;

const withService = (answerOf: AnswerOf, test: (world: World) => Promise<void>) =>
  withSqlite((database) => test(createWorld(observerRecordsOn(database), answerOf)));

const PLANTED = { from: 1, to: 300, rate: 10 };

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
    if (id !== 151 || kills++ > 0) return planted(id);
    killed.resolve();
    return "never";
  };
  return withService(answerOf, async ({ records, requested, scan, finish }) => {
    await Promise.race([scan(PLANTED), killed.promise]);
    const { stopped, answersEmpty, answers } = await finish();
    assertEquals([stopped, answersEmpty], [null, false]);
    const ids = Array.from({ length: PLANTED.to }, (_, at) => at + 1);
    const having = ids.filter((id) => ["runs", "empty"].includes(String(planted(id))));
    assertEquals([...(await records.watches.known(ids)).keys()], having);
    const count = (answer: Answer) => ids.filter((id) => planted(id) === answer).length;
    assertEquals(answers, {
      exists: count("runs"),
      "never-ran": count("empty"),
      missing: count(404),
      forbidden: count(403),
      failed: count(500),
    });
    assertEquals(await records.watches.any(), false);
    // An id that fails is asked for three times, the one of the killed instance twice, any other once;
    // both instances ask for an id that no service has.
    assertEquals(requested.length, 1 + PLANTED.to + 2 * count(500) + 1);
  });
});

Deno.test("continueScan: goes on where it was", () =>
  withService((id) => id <= 40 ? "runs" : 404, async (world) => {
    assertEquals(await world.begin(), true);
    // A turn ends after half a minute.
    await continueScan({ ...world, sleep: () => world.sleep(3600) });
    assertEquals(world.requested.length, 10);
    // Another range waits for its end.
    assertEquals(await world.begin({ ...RANGE, to: 80 }), false);
    await world.scan();
    assertEquals(world.requested.filter((id) => id <= 60).length, 60);
  }));

Deno.test("continueScan: keeps its rate, waits as the service asks, and loses no id", async () => {
  let refused = 0;
  await withService((id) => id === 30 && refused++ === 0 ? 429 : "runs", async ({ scan }) => {
    const { answers, ended } = await scan();
    // After the pause, 31 ids at ten a second.
    assertEquals([answers.exists, ended! - START >= 90_000 + 31 * 100], [60, true]);
  });
  await withService((_id, count) => count === 1 ? 429 : "runs", async (world) => {
    await world.begin();
    await continueScan(world);
    // Nor after a restart, which forgets what the service asked for.
    await continueScan({ ...world, access: { ...world.access, pausedUntil: () => 0 } });
    assertEquals(world.requested.length, 1);
  });
});

Deno.test("continueScan: a service that is down or refuses stops it", () => {
  let status = 503;
  return withService((id) => id > 20 ? status : "runs", async (world) => {
    const scan = async () => {
      const { stopped, answers } = await world.scan();
      const answered = Object.values(answers).reduce((sum, count) => sum + count, 0);
      return [stopped, answered, Math.max(...world.requested.filter((id) => id <= RANGE.to))];
    };
    assertEquals(await scan(), ["10 ids in a row were not answered", 20, 30]);
    status = 401;
    assertEquals(await scan(), ["The service rejected the token: set OBSERVER_TOKEN", 20, 30]);
  });
});

Deno.test("continueScan: a service that answers any id with an empty list fills no inventory", async () => {
  const cases: [AnswerOf, known: number][] = [
    [(id) => id === 7 ? "runs" : "empty", 1],
    // One that fails is asked again.
    [(id, count) => id > 60 && count < 4 ? 500 : "empty", 0],
  ];
  for (const [answerOf, known] of cases) {
    await withService(answerOf, async (world) => {
      await world.begin();
      await continueScan({ ...world, sleep: (ms) => world.sleep(ms + 30_000) });
      const { answersEmpty, answers } = await world.finish();
      const found = [answersEmpty, await world.records.watches.countKnown(), answers["never-ran"]];
      assertEquals(found, [true, known, 60 - known]);
    });
  }
});

Deno.test("continueScan: one instance asks at a time, and a person can stop it", () =>
  withService(() => "runs", async (world) => {
    const { records, requested } = world;
    await world.begin();
    const sleep = async () => {
      await continueScan(world);
      if (requested.length === 5) await stopScan({ records });
    };
    await continueScan({ ...world, sleep });
    assertEquals([requested.length, await records.scans.open()], [5, undefined]);
    assertEquals((await records.scans.counted())[0].stopped, "Stopped by a person");
  }));
