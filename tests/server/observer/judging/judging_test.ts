import { assert, assertEquals, assertRejects } from "@std/assert";
import { defaultStatusDictionary, judgeSchedule } from "../../../../lib/mod.ts";
import { plansOf } from "../../../../lib/judgement/plans/infer.ts";
import {
  createJudging,
  type Judging,
  JudgingError,
} from "../../../../server/observer/judging/judging.ts";
import { backtest } from "../../../../server/observer/backtest.ts";
import { createJudge } from "../../../../server/observer/polling/judge.ts";
import { holdTimers } from "../../../hold_timers.ts";
import { randomFrom } from "../../../lib/judgement/histories/random.ts";

const NOW = Date.UTC(2026, 0, 1);

/** Runs at any time, about five a day: those without a pattern take longest to judge. */
function noise(count: number) {
  const random = randomFrom(3);
  const days = Math.min(count / 5, 365);
  const runs = JSON.stringify(Array.from({ length: count }, (_, id) => ({
    id,
    status: "success",
    startTime: new Date(NOW - random.next() * days * 86_400_000).toISOString(),
  })));
  const statuses = defaultStatusDictionary();
  return { scheduleId: 1, runs, olderUnread: false, now: NOW, statuses, plan: null, pauses: [] };
}

async function withJudging(
  test: (judging: Judging) => Promise<void>,
  options?: Parameters<typeof createJudging>[0],
): Promise<void> {
  const judging = createJudging(options);
  try {
    await test(judging);
  } finally {
    judging.close();
  }
}

Deno.test("createJudge: what only time passed over is judged as if it were read anew", () => {
  const judge = createJudge();
  judge(noise(50));
  judge({ ...noise(20), scheduleId: 2 });
  for (const asked of [noise(50), noise(51), noise(20)]) {
    const later = { ...asked, now: NOW + 86_400_000 };
    assertEquals(judge(later), createJudge()(later));
  }
});

Deno.test("createJudge: runs that were read are not read again", () => {
  let given: readonly unknown[] = [];
  const judge = createJudge((history, options) => {
    given = [history.runs, options.earlier !== undefined];
    return judgeSchedule(history, options);
  });
  judge(noise(5));
  const [first, isFirst] = given;
  judge(noise(5));
  assert(given[0] === first);
  assertEquals([isFirst, given[1]], [false, true]);
  judge(noise(6));
  assertEquals(given[1], false);
});

Deno.test("createJudge: so many characters are kept, and the oldest given up first", () => {
  let isKept = false;
  const judge = createJudge((history, options) => {
    isKept = options.earlier !== undefined;
    return judgeSchedule(history, options);
  });
  const runs = JSON.stringify([{ id: 1, status: "success", message: "x".repeat(8_000_000) }]);
  const ask = (scheduleId: number) => {
    judge({ ...noise(0), scheduleId, runs });
    return isKept;
  };
  assertEquals([1, 2, 1, 3].map(ask), [false, false, true, false]);
  assertEquals([1, 2].map(ask), [true, false]);
});

Deno.test("createJudging: the loop goes on while a noisy history is judged, with the same verdict", () =>
  withJudging(async (judging) => {
    let ticks = 0;
    let isJudged = false;
    const judged = judging.judge(noise(1000)).finally(() => isJudged = true);
    while (!isJudged) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      ticks++;
    }
    // Judged in this loop, there would be one.
    assert(ticks > 10, `${ticks} ticks`);
    assertEquals(await judged, structuredClone(createJudge()(noise(1000))));
  }));

Deno.test("createJudging: what takes too long is ended, and the next is judged", () =>
  withJudging(async (judging) => {
    const error = await assertRejects(() => judging.judge(noise(100_000)), JudgingError);
    assertEquals(error.message, "A history was not judged within 0.001 s");
    await assertRejects(() => judging.judge(noise(100_000)), JudgingError);
  }, { deadlineMs: 1, most: 1 }));

Deno.test("createJudging: what waits behind a slow history is judged by another worker", async () => {
  const held = holdTimers(12_345);
  try {
    await withJudging(async (judging) => {
      const ended: string[] = [];
      const slow = judging.judge(noise(100_000)).catch(({ message }) => void ended.push(message));
      const behind = [5, 6, 7].map((count) => judging.judge(noise(count)));
      assertEquals(held.pass(), 1);
      await Promise.all(behind);
      assertEquals(ended, []);
      judging.close();
      await slow;
      assertEquals(ended, ["Docket is stopping"]);
    }, { slowMs: 12_345, most: 1 });
  } finally {
    held.release();
  }
});

Deno.test("createJudging: a slow history keeps its own answer, and what was judged elsewhere its", async () => {
  const held = holdTimers(12_345);
  try {
    await withJudging(async (judging) => {
      const asked = [noise(20), noise(5), noise(6)];
      const judged = asked.map((question) => judging.judge(question));
      held.pass();
      const next = judging.judge(noise(7));
      const answers = await Promise.all([...judged, next]);
      const expected = [...asked, noise(7)].map((question) => createJudge()(question));
      assertEquals(answers, structuredClone(expected));
    }, { slowMs: 12_345, most: 1 });
  } finally {
    held.release();
  }
});

Deno.test("createJudging: what waits behind one that takes too long has its own time", async () => {
  const held = holdTimers(12_345);
  try {
    await withJudging(async (judging) => {
      const slow = judging.judge(noise(100_000));
      const next = judging.judge(noise(5));
      held.pass();
      await assertRejects(() => slow, JudgingError, "within 12.345 s");
      assertEquals((await next).failing, 0);
    }, { deadlineMs: 12_345, most: 1 });
  } finally {
    held.release();
  }
});

Deno.test("createJudging: what nobody waits for any more is still ended after its time", async () => {
  const held = holdTimers(12_345);
  try {
    await withJudging(async (judging) => {
      const leaving = new AbortController();
      const first = judging.judge(noise(5));
      const left = judging.judge(noise(100_000), leaving.signal);
      leaving.abort(new Error("left"));
      await assertRejects(() => left, Error, "left");
      await first;
      assertEquals(held.pass(), 1);
    }, { deadlineMs: 12_345, most: 1 });
  } finally {
    held.release();
  }
});

Deno.test("createJudging: who leaves ends what was asked for, and others are answered", () =>
  withJudging(async (judging) => {
    const leaving = new AbortController();
    const left = judging.judge(noise(100_000), leaving.signal);
    const waiting = judging.judge(noise(5), leaving.signal);
    const other = judging.judge(noise(5));
    leaving.abort(new Error("left"));
    await assertRejects(() => left, Error, "left");
    await assertRejects(() => waiting, Error, "left");
    await assertRejects(() => judging.judge(noise(5), leaving.signal), Error, "left");
    assertEquals((await other).failing, 0);
  }, { most: 1 }));

Deno.test("createJudging: plans that nobody waits for are dropped, and the worker goes on", () =>
  withJudging(async (judging) => {
    await judging.judge(noise(5));
    const leaving = new AbortController();
    const times = Float64Array.from({ length: 1000 }, (_, at) => NOW + at * 86_400_000);
    const left = Array.from(
      { length: 6 },
      () => judging.infer({ times, zone: "UTC" }, leaving.signal),
    );
    const other = judging.infer({ times: times.slice(0, 50), zone: "UTC" });
    leaving.abort(new Error("left"));
    for (const each of left) await assertRejects(() => each, Error, "left");
    assertEquals((await other).length, 1);
  }, { most: 1 }));

Deno.test("createJudging: what can't be judged is told, and closing ends what waits", () =>
  withJudging(async (judging) => {
    const broken = { ...noise(1), runs: "[" };
    await assertRejects(() => judging.judge(broken), JudgingError, "JSON");
    const waiting = [judging.judge(noise(1000)), judging.judge(noise(1000))];
    judging.close();
    for (const each of waiting) await assertRejects(() => each, JudgingError, "stopping");
    await assertRejects(() => judging.judge(noise(1)), JudgingError);
  }, { most: 1 }));

Deno.test("createJudging: a replay gives the incidents that watching would have opened", () =>
  withJudging(async (judging) => {
    const runs = Array.from({ length: 40 }, (_, id) => ({
      id,
      status: id === 35 ? "failure" : "success",
      startTime: new Date(NOW + id * 86_400_000).toISOString(),
      endTime: new Date(NOW + id * 86_400_000 + 60_000).toISOString(),
    }));
    const now = NOW + 40 * 86_400_000 - 1;
    const { incidents } = await judging.backtest(runs, {
      now,
      plan: null,
      pauses: [],
      statuses: null,
    });
    assertEquals(incidents.map(({ code }) => code), ["failing"]);
  }));

Deno.test("createJudging: plans are inferred as judgeSchedule would", () =>
  withJudging(async (judging) => {
    const times = Float64Array.from({ length: 20 }, (_, day) => NOW + day * 86_400_000);
    const plans = await judging.infer({ times, zone: "Europe/Berlin" });
    assertEquals(plans, plansOf(times, "Europe/Berlin"));
    assertEquals(plans.map(({ plan }) => plan?.cron), [["0 1 * * *"]]);
  }));

/** Runs a test as on a host without workers. */
async function withoutWorkers(test: () => Promise<void>): Promise<void> {
  const { Worker } = globalThis;
  Reflect.deleteProperty(globalThis, "Worker");
  try {
    await test();
  } finally {
    Object.assign(globalThis, { Worker });
  }
}

Deno.test("createJudging: without workers everything is answered in this thread, in turns", () =>
  withoutWorkers(() =>
    withJudging(async (judging) => {
      const times = Float64Array.from({ length: 20 }, (_, day) => NOW + day * 86_400_000);
      const options = { now: NOW, plan: null, pauses: [], statuses: null };
      const leaving = new AbortController();
      const answers = Promise.all([
        ...[5, 6, 7, 8, 9].map((count) => judging.judge(noise(count))),
        judging.infer({ times, zone: "UTC" }),
        judging.backtest([], options),
      ]);
      const left = judging.judge(noise(20), leaving.signal);
      const broken = judging.judge({ ...noise(1), runs: "[" });
      leaving.abort(new Error("left"));
      await Promise.all([
        assertRejects(() => left, Error, "left"),
        assertRejects(() => broken, JudgingError, "JSON"),
      ]);
      assertEquals(await answers, [
        ...[5, 6, 7, 8, 9].map((count) => createJudge()(noise(count))),
        plansOf(times, "UTC"),
        backtest([], options),
      ]);
      const waiting = judging.judge(noise(5));
      judging.close();
      await assertRejects(() => waiting, JudgingError, "stopping");
    })
  ));
