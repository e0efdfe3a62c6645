import { assert, assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import type { JudgeOptions, ReportRun } from "../../../lib/mod.ts";
import { PLANS } from "./histories/plans.ts";
import { makeHistory } from "./histories/histories.ts";
import { randomFrom } from "./histories/random.ts";
import { judgeAt, momentsFrom, runAt, runsAt } from "./runs_at.ts";

const BEGIN = Date.UTC(2026, 0, 5, 6);
const daily = { cron: ["0 6 * * *"], zone: "UTC", graceMs: 10 * MINUTE, since: 0 };

/** The verdict at a moment, without how long something has lasted. */
function verdictAt(runs: readonly ReportRun[], now: number, options: Partial<JudgeOptions> = {}) {
  const { reasons, ...verdict } = judgeAt(now, runs, options);
  const lasting = reasons.map((reason) =>
    reason.code === "late" && reason.due !== null ? { ...reason, lateMs: 0 } : reason
  );
  return { ...verdict, reasons: lasting };
}

Deno.test("changesAt: judged at any moment before it, a schedule gets the same verdict", () => {
  const random = randomFrom(7);
  for (const [seed, plan] of PLANS.filter(({ days }, at) => days < 10 && at % 6 === 0).entries()) {
    const fault = ["nothing", "some missed", "retries", "by hand"][seed % 4];
    const count = plan.days < 0.1 ? 90 : 30;
    const made = makeHistory({ plan, fault, jitter: "2 minutes", seed, count });
    const going = { ...made.runs.at(-1)!, endTime: null, status: "running" };
    const runs = seed % 2 ? made.runs : made.runs.with(-1, going);
    const options = seed % 3
      ? {}
      : { pauses: [{ from: made.now + HOUR, to: made.now + 2 * DAY }], listingDelayMs: MINUTE };
    let now = made.now + random.between(-2 * HOUR, 2 * HOUR);
    for (let step = 0; step < 2; step++) {
      const verdict = verdictAt(runs, now, options);
      const changesAt = verdict.changesAt!;
      assert(changesAt > now, plan.name);
      for (const at of [random.between(now, changesAt - 1), changesAt - 1]) {
        assertEquals(verdictAt(runs, at, options), verdict, `${plan.name}, ${now}, ${at}`);
      }
      now = changesAt;
    }
  }
});

Deno.test("changesAt: ends of a grace, a pause, a decision; a stuck run", () => {
  const runs = runsAt(momentsFrom(BEGIN, 30), 5 * MINUTE);
  const slot = BEGIN + 30 * DAY;
  const minutesAfter = (now: number, known = runs, options: Partial<JudgeOptions> = {}) =>
    (judgeAt(now, known, { plans: [daily], ...options }).changesAt! - slot) / MINUTE;
  const tick = 1 / MINUTE;
  assertEquals(minutesAfter(slot - HOUR), 0);
  assertEquals([slot, slot + MINUTE].map((now) => minutesAfter(now)), [tick, 10 + tick]);
  assertEquals(minutesAfter(slot + MINUTE, runs, { listingDelayMs: 5 * MINUTE }), 15 + tick);
  assertEquals(minutesAfter(slot + 11 * MINUTE), 24 * 60);
  // Four times as long as runs take, and at least ten minutes.
  const open = runAt(99, slot, { status: "running" });
  assertEquals(minutesAfter(slot + MINUTE, [...runs, open]), 20 + tick);
  const short = runsAt(momentsFrom(BEGIN, 30), MINUTE);
  assertEquals(minutesAfter(slot + MINUTE, [...short, open]), 10 + tick);
  // 4 times their 95th percentile is 767,327 ms, and a little less in binary fractions.
  const uneven = [...Array(8).fill(160_000), 184_085, 198_170]
    .flatMap((ms, day) => runsAt([BEGIN + day * DAY], ms).map((run) => ({ ...run, id: day })));
  assertEquals(judgeAt(slot + 767_327, [...uneven, open], { plans: [daily] }).headline, "healthy");
  const pauses = [{ from: slot - DAY, to: slot + HOUR }];
  assertEquals(minutesAfter(slot + MINUTE, runs, { pauses }), 60);
  const until = slot + 2 * HOUR;
  const decision = { kind: "domain", domain: "a.test", expected: true, until } as const;
  assertEquals(minutesAfter(slot + HOUR, runs, { decisions: [decision] }), 120);
});
