import { assertEquals, assertRejects } from "@std/assert";
import { DatabaseError } from "../../../../server/store/database/database_error.ts";
import { reconnectingDatabase } from "../../../../server/store/database/reconnecting.ts";
import { sql } from "../../../../server/store/database/sql.ts";
import { hurryTimers } from "../../../hurry_timers.ts";
import { openSqlite } from "../../../../server/store/database/sqlite.ts";

Deno.test("reconnectingDatabase: opens at first use, tries again every 2 seconds, and stays closed", async () => {
  const state = { isAway: true, attempts: 0, time: 0, recoveries: 0, closed: 0 };
  const open = () =>
    reconnectingDatabase(async () => {
      state.attempts++;
      if (state.isAway) throw new DatabaseError("unreachable", "", "start it");
      const opened = await openSqlite({ path: ":memory:" });
      return { ...opened, close: () => opened.close().then(() => void state.closed++) };
    }, { now: () => state.time, onRecovered: () => state.recoveries++ });
  const database = open();
  const isAnswered = () => database.read(sql`SELECT 1`).then(() => true, () => false);
  const three = () => Promise.all([1, 2, 3].map(isAnswered));
  assertEquals(state.attempts, 0);
  const attemptedAt: number[] = [];
  for (; state.time < 20_000; state.time += 100) {
    const before = state.attempts;
    assertEquals(await three(), [false, false, false]);
    if (state.attempts > before) attemptedAt.push(state.time);
  }
  assertEquals(attemptedAt, Array.from({ length: 10 }, (_, at) => at * 2000));
  // It is opened once for all who ask.
  state.isAway = false;
  state.time = 22_000;
  for (let again = 0; again < 2; again++) assertEquals(await three(), [true, true, true]);
  assertEquals([state.attempts, state.recoveries], [11, 1]);
  await database.close();
  assertEquals([state.closed, await isAnswered(), state.attempts], [1, false, 11]);
  // One that was never away did not recover.
  const other = open();
  await other.read(sql`SELECT 1`);
  await other.close();
  assertEquals(state.recoveries, 1);
});

Deno.test("reconnectingDatabase: after ten seconds it says why it may not open, and goes on", async () => {
  const opening = Promise.withResolvers<Awaited<ReturnType<typeof openSqlite>>>();
  const database = reconnectingDatabase(() => opening.promise);
  const read = () => database.read(sql`SELECT 1 AS one`);
  {
    using _ = hurryTimers(10_000);
    const { kind, message } = await assertRejects(read, DatabaseError);
    const advice = "its schema is being changed, or it does not answer";
    assertEquals([kind, message.includes(advice)], ["opening", true], message);
  }
  opening.resolve(await openSqlite({ path: ":memory:" }));
  assertEquals(await read(), [{ one: 1 }]);
  await database.close();
});
