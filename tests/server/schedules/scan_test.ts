import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
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

const ALWAYS: readonly Answer[] = ["runs", "empty", 404, 403, 500];

/** What a service answers for an id, each time that it is asked; the last answer stays. */
const anyAnswers = fc.constantFrom<readonly Answer[]>(
  ...ALWAYS.map((answer) => [answer]),
  ...[[500, "runs"], [500, 500, "empty"], [429, "runs"]] satisfies Answer[][],
);

Deno.test("continueScan: finds what the service has, at its rate, also when killed or paused", () =>
  fc.assert(
    fc.asyncProperty(fc.array(anyAnswers, { maxLength: 60 }), fc.nat(80), (service, killedAt) => {
      const killed = Promise.withResolvers<void>();
      let killedId = 0;
      const asked = new Map<number, number>();
      const answerOf = (id: number, count: number) => {
        if (count === killedAt) {
          killedId = id;
          killed.resolve();
          return "never";
        }
        const before = asked.get(id) ?? 0;
        asked.set(id, before + 1);
        const answers = service[id - 1] ?? [404];
        return answers[before] ?? answers.at(-1)!;
      };
      return withService(answerOf, async ({ records, scan, finish }) => {
        await Promise.race([scan({ ...RANGE, to: service.length }), killed.promise]);
        const { stopped, answersEmpty, answers, ended } = await finish();
        assertEquals([stopped, answersEmpty], [null, false]);
        assertEquals((await records.scans.stored())[0].answers, answers);
        const idsWith = (...last: Answer[]) =>
          service.flatMap((answers, at) => last.includes(answers.at(-1)!) ? at + 1 : []);
        assertEquals(Object.values(answers), ALWAYS.map((answer) => idsWith(answer).length));
        assertEquals(await records.watches.unwatchedIds(99), idsWith("runs", "empty"));
        for (const [at, given] of service.entries()) {
          const fails = given.length === 1 && given[0] === 500;
          const times = fails ? 3 : given.length;
          if (at + 1 !== killedId) assertEquals(asked.get(at + 1), times, `id ${at + 1}`);
        }
        const pauses = service.filter(([first]) => first === 429).length;
        assert(ended! - START >= pauses * 90_000 + service.length * 1000 / RANGE.rate);
      });
    }),
    { numRuns: 40 },
  ));

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

Deno.test("continueScan: one instance asks at a time, in short turns, until a person stops it", () =>
  withService(() => "runs", async (world) => {
    const { records, requested } = world;
    await world.begin();
    // The first turn asks for an id that no service has, too.
    for (const requests of [10, 19]) {
      await continueScan({ ...world, sleep: () => world.sleep(3600) });
      assertEquals(requested.length, requests);
    }
    assertEquals(await world.begin({ ...RANGE, to: 80 }), false, "another range waits");
    const sleep = async () => {
      await continueScan(world);
      if (requested.length === 25) await stopScan({ records });
    };
    await continueScan({ ...world, sleep });
    assertEquals([requested.length, await records.scans.open()], [25, undefined]);
    assertEquals((await records.scans.counted())[0].stopped, "Stopped by a person");
  }));
