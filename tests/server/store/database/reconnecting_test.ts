import { assert, assertEquals } from "@std/assert";
import { DatabaseError } from "../../../../server/store/database/database_error.ts";
import type { OpenDatabase } from "../../../../server/store/database/database.ts";
import { reconnectingDatabase } from "../../../../server/store/database/reconnecting.ts";
import { sql } from "../../../../server/store/database/sql.ts";
import { openSqlite } from "../../../../server/store/database/sqlite.ts";

const away = () => new DatabaseError("unreachable", "", "start it");
const SELECT = sql`SELECT 1`;

/** A real database in memory that opens only when it is told to, on a clock of its own. */
function withKept(work: (setup: Setup) => Promise<void>): () => Promise<void> {
  return async () => {
    const setup: Setup = {
      isAway: false,
      attempts: 0,
      time: 0,
      recoveries: 0,
      databases: [],
      kept: reconnectingDatabase(async () => {
        setup.attempts++;
        if (setup.isAway) throw away();
        const database = await openSqlite({ path: ":memory:" });
        setup.databases.push(database);
        return database;
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
  readonly databases: OpenDatabase[];
  readonly kept: ReturnType<typeof reconnectingDatabase>;
}

async function isAnswered(setup: Setup): Promise<boolean> {
  return await setup.kept.read(SELECT).then(() => true, () => false);
}

Deno.test(
  "reconnectingDatabase: opens at the first use, once for all who ask",
  withKept(async (setup) => {
    assertEquals(setup.attempts, 0);
    assert((await Promise.all([1, 2, 3].map(() => isAnswered(setup)))).every(Boolean));
    assertEquals([setup.attempts, setup.recoveries], [1, 0]);
  }),
);

Deno.test(
  "reconnectingDatabase: tries again every 2 seconds",
  withKept(async (setup) => {
    setup.isAway = true;
    const attemptedAt: number[] = [];
    for (; setup.time < 20_000; setup.time += 100) {
      const before = setup.attempts;
      assertEquals(await Promise.all([1, 2, 3].map(() => isAnswered(setup))), Array(3).fill(false));
      if (setup.attempts > before) attemptedAt.push(setup.time);
    }
    assertEquals(attemptedAt, Array.from({ length: 10 }, (_, at) => at * 2000));
    setup.isAway = false;
    setup.time = 22_000;
    assert(await isAnswered(setup));
    assertEquals(setup.recoveries, 1);
  }),
);

Deno.test(
  "reconnectingDatabase: opens what is stale anew",
  withKept(async (setup) => {
    assert(await isAnswered(setup));
    Object.assign(setup.databases[0], { isStale: () => true });
    assert(await isAnswered(setup));
    assertEquals(setup.databases.length, 2);
    const closed = await setup.databases[0].read(SELECT).then(() => false, () => true);
    assert(closed);
  }),
);

Deno.test(
  "reconnectingDatabase: closed, it stays closed",
  withKept(async (setup) => {
    assert(await isAnswered(setup));
    await setup.kept.close();
    assertEquals([await isAnswered(setup), setup.attempts], [false, 1]);
  }),
);
