import { assertEquals } from "@std/assert";
import { createJudge } from "../../../server/observer/looking/judge.ts";
import { directAccess } from "../../../server/observer/looking/service_access.ts";
import { createObserver } from "../../../server/observer/observer.ts";
import { openSqlite } from "../../../server/store/sqlite/engine.ts";
import { recordsOn } from "../../../server/store/observer/records.ts";
import { holdTimers } from "../../hold_timers.ts";
import { judge, planSlots, START } from "./world.ts";

Deno.test("createObserver: what becomes due is looked at while the answer to another look is slow", async () => {
  const engine = await openSqlite({ path: ":memory:" });
  const records = recordsOn(engine);
  const held = holdTimers(1000);
  const asked: number[] = [];
  const isAsked = Promise.withResolvers<void>();
  const slow = Promise.withResolvers<readonly never[]>();
  const judgeOnce = createJudge(judge);
  const observer = createObserver({
    records,
    access: directAccess({
      fileSets: { search: () => Promise.reject(new Error("Not asked for")) },
      reportSchedules: {
        history(scheduleId) {
          asked.push(scheduleId);
          isAsked.resolve();
          return scheduleId === 1 ? slow.promise : Promise.resolve([]);
        },
      },
    }),
    judge: (question) => Promise.resolve(judgeOnce(question)),
    planSlots,
    outlets: [],
    now: () => START,
    zone: "UTC",
    everyMs: 60_000,
    origin: "https://docket.example.com",
    heartbeatUrl: null,
    onEvent: () => {},
  });
  try {
    await records.watches.add([1], START);
    const looks = observer.lookAtDue();
    await isAsked.promise;
    await records.watches.add([2], START);
    while (asked.length < 2) {
      held.pass();
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    slow.resolve([]);
    assertEquals(await looks, 2);
    assertEquals(asked, [1, 2]);
  } finally {
    held.release();
    await engine.close();
  }
});
