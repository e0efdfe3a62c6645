import { assert, assertEquals } from "@std/assert";
import { DatabaseError } from "../../../server/store/database_error.ts";
import type { OpenEngine } from "../../../server/store/engine.ts";
import { reconnectingEngine } from "../../../server/store/reconnecting_engine.ts";
import { openSqlite } from "../../../server/store/sqlite/open_sqlite.ts";

const away = () => new DatabaseError("unreachable", "", "start it");
const SELECT = "SELECT 1";

/** A real database in memory that opens only when it is told to, on a clock of its own. */
function withKept(work: (setup: Setup) => Promise<void>): () => Promise<void> {
  return async () => {
    const setup: Setup = {
      isAway: false,
      attempts: 0,
      time: 0,
      recoveries: 0,
      engines: [],
      kept: reconnectingEngine(async () => {
        setup.attempts++;
        if (setup.isAway) throw away();
        const engine = await openSqlite({ path: ":memory:" });
        setup.engines.push(engine);
        return engine;
      }, { now: () => setup.time, onRecovered: () => setup.recoveries++ }),
    };
    try {
      await work(setup);
    } finally {
      await setup.kept.close();
    }
  };
}

interface Setup {
  isAway: boolean;
  attempts: number;
  time: number;
  recoveries: number;
  readonly engines: OpenEngine[];
  readonly kept: ReturnType<typeof reconnectingEngine>;
}

async function isAnswered(setup: Setup): Promise<boolean> {
  return await setup.kept.rows(SELECT).then(() => true, () => false);
}

Deno.test(
  "reconnectingEngine: opens at the first use, once for all who ask",
  withKept(async (setup) => {
    assertEquals(setup.attempts, 0);
    assert((await Promise.all([1, 2, 3].map(() => isAnswered(setup)))).every(Boolean));
    assertEquals([setup.attempts, setup.recoveries], [1, 0]);
  }),
);

Deno.test(
  "reconnectingEngine: tries again after 1, 2, 4 and then every 5 seconds, however often it is asked",
  withKept(async (setup) => {
    setup.isAway = true;
    const attemptedAt: number[] = [];
    for (; setup.time < 20_000; setup.time += 100) {
      const before = setup.attempts;
      assertEquals(await Promise.all([1, 2, 3].map(() => isAnswered(setup))), Array(3).fill(false));
      if (setup.attempts > before) attemptedAt.push(setup.time);
    }
    assertEquals(attemptedAt, [0, 1000, 3000, 7000, 12_000, 17_000]);
    setup.isAway = false;
    setup.time = 22_000;
    assert(await isAnswered(setup));
    assertEquals(setup.recoveries, 1);
  }),
);

Deno.test(
  "reconnectingEngine: opens what is stale anew",
  withKept(async (setup) => {
    assert(await isAnswered(setup));
    Object.assign(setup.engines[0], { isStale: () => true });
    assert(await isAnswered(setup));
    assertEquals(setup.engines.length, 2);
    const closed = await setup.engines[0].rows(SELECT).then(() => false, () => true);
    assert(closed);
  }),
);

Deno.test(
  "reconnectingEngine: closed, it stays closed",
  withKept(async (setup) => {
    assert(await isAnswered(setup));
    await setup.kept.close();
    assertEquals([await isAnswered(setup), setup.attempts], [false, 1]);
  }),
);

Deno.test(
  "reconnectingEngine: opens what is damaged anew, but not with every use",
  withKept(async (setup) => {
    assert(await isAnswered(setup));
    const damaged = () => Promise.reject(new DatabaseError("damaged", "", ""));
    Object.assign(setup.engines[0], { rows: damaged });
    assertEquals(await isAnswered(setup), false);
    assertEquals(await isAnswered(setup), false);
    setup.time += 5000;
    assertEquals(await isAnswered(setup), false);
    assert(await isAnswered(setup));
    assertEquals(setup.engines.length, 2);
  }),
);
