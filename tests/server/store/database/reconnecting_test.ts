import { assertEquals } from "@std/assert";
import { DatabaseError } from "../../../../server/store/database/database_error.ts";
import { reconnectingDatabase } from "../../../../server/store/database/reconnecting.ts";
import { sql } from "../../../../server/store/database/sql.ts";
import { openSqlite } from "../../../../server/store/database/sqlite.ts";

const SELECT = sql`SELECT 1`;

/** A real database in memory that opens only when it is told to, on a clock of its own. */
interface Setup {
  isAway: boolean;
  attempts: number;
  time: number;
  recoveries: number;
  readonly kept: ReturnType<typeof reconnectingDatabase>;
  isAnswered(): Promise<boolean>;
}

function test(name: string, work: (setup: Setup) => Promise<void>): void {
  Deno.test(`reconnectingDatabase: ${name}`, async () => {
    const setup: Setup = {
      ...{ isAway: false, attempts: 0, time: 0, recoveries: 0 },
      kept: reconnectingDatabase(async () => {
        setup.attempts++;
        if (setup.isAway) throw new DatabaseError("unreachable", "", "start it");
        return await openSqlite({ path: ":memory:" });
      }, { now: () => setup.time, onRecovered: () => setup.recoveries++ }),
      isAnswered: () => setup.kept.read(SELECT).then(() => true, () => false),
    };
    try {
      await work(setup);
    } finally {
      await setup.kept.close();
    }
  });
}

test("opens at the first use, once for all who ask, and stays closed", async (setup) => {
  assertEquals(setup.attempts, 0);
  const answers = await Promise.all([1, 2, 3].map(() => setup.isAnswered()));
  assertEquals([answers, setup.attempts, setup.recoveries], [[true, true, true], 1, 0]);
  assertEquals([await setup.isAnswered(), setup.attempts], [true, 1]);
  await setup.kept.close();
  assertEquals([await setup.isAnswered(), setup.attempts], [false, 1]);
});

test("tries again every 2 seconds", async (setup) => {
  setup.isAway = true;
  const attemptedAt: number[] = [];
  for (; setup.time < 20_000; setup.time += 100) {
    const before = setup.attempts;
    const answers = await Promise.all([1, 2, 3].map(() => setup.isAnswered()));
    assertEquals(answers, [false, false, false]);
    if (setup.attempts > before) attemptedAt.push(setup.time);
  }
  assertEquals(attemptedAt, Array.from({ length: 10 }, (_, at) => at * 2000));
  setup.isAway = false;
  setup.time = 22_000;
  assertEquals([await setup.isAnswered(), setup.recoveries], [true, 1]);
});
