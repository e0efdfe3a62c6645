/** The stored runs of a schedule, their verdict, and what is known besides, as pages load them. */
import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import { DAY, MINUTE } from "../../../lib/time_units.ts";
import type { Recipient } from "../../../lib/types.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import {
  createRunCache,
  judgeLoaded,
  type JudgingOptions,
  loadStoredRuns,
} from "../../../server/schedules/loaded_runs.ts";
import { recipientFacts } from "../../../server/schedules/recipient_facts.ts";
import { runOn } from "../store/rows.ts";
import { testRecords } from "../store/on_both.ts";

/** Schedules with three runs each, and the ids of those that are read. */
function setUp(recipients: Recipient[] = []) {
  const state = { read: [] as number[], version: 1 };
  const runs = {
    version: () => Promise.resolve(`v${state.version}`),
    newest(scheduleId: number, max: number) {
      state.read.push(scheduleId);
      const newest = [3, 2, 1].slice(0, max).map((id) => {
        const startTime = `2026-01-0${id}T06:00:00Z`;
        return { id, start: Date.parse(startTime), run: { id, startTime, recipients } };
      });
      return Promise.resolve(newest);
    },
  };
  const runCache = createRunCache();
  const load = (scheduleId: number, max = 3, isWhole = true) =>
    loadStoredRuns({ runs, runCache }, scheduleId, { max, isWhole });
  return { state, load };
}

Deno.test("loadStoredRuns: reads once for each version, schedule and number of runs", async () => {
  const { load, state } = setUp();
  const first = await load(7);
  const { runs: whole, ...known } = first;
  assertEquals(whole.map(({ id }) => id), [3, 2, 1]);
  assertEquals(known, { stopped: "end", olderUnread: false, newerUnread: false });
  assertStrictEquals(await load(7), first);
  for (const [fewer, count] of [[await load(7, 2), 2], [await load(7, 3, false), 3]] as const) {
    const { runs, stopped, olderUnread } = fewer;
    assertEquals([runs.length, stopped, olderUnread], [count, "enough", true]);
  }
  await load(8);
  assertEquals(state.read.splice(0), [7, 7, 7, 8]);
  state.version++;
  await load(7);
  assertEquals(state.read, [7]);
  // Of the 200,000 entries that the cache holds, each of these schedules takes 75,003.
  const large = setUp(Array<Recipient>(25_000).fill({ userId: 1 }));
  for (const scheduleId of [1, 2, 1, 3, 1, 2]) await large.load(scheduleId);
  assertEquals(large.state.read, [1, 2, 3, 2], "what was used longest ago goes");
});

Deno.test("judgeLoaded: a verdict is cached for a minute, for the same question", async () => {
  const now = Date.UTC(2026, 0, 20, 12);
  const history = {
    runs: [{ id: 1 }, { id: 2, startTime: "2100-01-01T00:00:00Z" }],
    ...{ olderUnread: false, newerUnread: true },
  };
  const loaded = { ...history, stopped: "end" } as const;
  const questions: unknown[] = [];
  const judgeHistory: JudgingOptions["judgeHistory"] = (...question) => {
    questions.push(question);
    return Promise.resolve({ state: "up" } as Verdict);
  };
  const judge = (options: Partial<JudgingOptions> = {}) =>
    judgeLoaded(loaded, { judgeHistory, statuses: {}, now, ...options });
  const late = () => judge({ judgeHistory: () => Promise.reject(new Error("late")) });
  const { problem } = await assertRejects(late, ProblemError);
  assertEquals([problem.status, problem.retryAfterSeconds], [503, 5]);
  // The next request tries again; who asks at the same time gets the same one.
  const [first] = await Promise.all([judge(), judge(), judge({ now: now + MINUTE - 1 })]);
  assertEquals(first, { state: "up", runs: [{ id: 1 }] } as unknown as Verdict);
  assertEquals(questions, [[history, { statuses: {}, now }]]);
  const others = [{ now: now + MINUTE }, { statuses: { sent: "good" } }, { plans: [] }] as const;
  for (const other of others) await judge(other);
  assertEquals(questions.length, 4);
});

testRecords(
  "recipientFacts: the first run, and who received those before the judged",
  async (records) => {
    const days = [20_001, 20_002, 20_003];
    await records.read(7, ...days.map((day, at) => runOn(at + 1, day, [{ userId: at + 1 }])));
    const starts = days.map((day) => day * DAY);
    const known = async (...starts: (number | null)[]) => {
      const judged = { scheduleId: 7, starts, now: 0 };
      const { before } = await recipientFacts(records, { homeDomains: [] }, judged);
      return before && [before.firstStart, ...before.recipients.map((one) => one.recipient.userId)];
    };
    assertEquals(await known(starts[2], null, 0, starts[1]), [starts[0], 1]);
    assertEquals([await known(starts[0]), await known(null)], [undefined, undefined]);
  },
);
