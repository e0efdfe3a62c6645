import { assertEquals } from "@std/assert";
import { DatabaseError } from "../../../../server/store/database/database_error.ts";
import { reconnectingDatabase } from "../../../../server/store/database/reconnecting.ts";
import { sql } from "../../../../server/store/database/sql.ts";
import { openSqlite } from "../../../../server/store/database/sqlite.ts";

const SELECT = sql`SELECT 1`;

/** A real database in memory that opens only on command, on a clock of its own. */
function setUp() {
  const state = { isAway: false, attempts: 0, time: 0, recoveries: 0 };
  const database = reconnectingDatabase(async () => {
    state.attempts++;
    if (state.isAway) throw new DatabaseError("unreachable", "", "start it");
    return await openSqlite({ path: ":memory:" });
  }, { now: () => state.time, onRecovered: () => state.recoveries++ });
  const isAnswered = () => database.read(SELECT).then(() => true, () => false);
  return { state, database, isAnswered, three: () => Promise.all([1, 2, 3].map(isAnswered)) };
}

Deno.test("reconnectingDatabase: opens at the first use, once for all who ask, and stays closed", async () => {
  const { state, database, isAnswered, three } = setUp();
  assertEquals(state.attempts, 0);
  assertEquals([await three(), state.attempts, state.recoveries], [[true, true, true], 1, 0]);
  assertEquals([await isAnswered(), state.attempts], [true, 1]);
  await database.close();
  assertEquals([await isAnswered(), state.attempts], [false, 1]);
});

Deno.test("reconnectingDatabase: tries again every 2 seconds", async () => {
  const { state, database, isAnswered, three } = setUp();
  state.isAway = true;
  const attemptedAt: number[] = [];
  for (; state.time < 20_000; state.time += 100) {
    const before = state.attempts;
    assertEquals(await three(), [false, false, false]);
    if (state.attempts > before) attemptedAt.push(state.time);
  }
  assertEquals(attemptedAt, Array.from({ length: 10 }, (_, at) => at * 2000));
  state.isAway = false;
  state.time = 22_000;
  assertEquals([await isAnswered(), state.recoveries], [true, 1]);
  await database.close();
});
