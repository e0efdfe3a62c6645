/** The stored runs of a schedule, their verdict, and what is known besides, as pages load them. */
import { assertEquals, assertRejects } from "@std/assert";
import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import { DAY, MINUTE } from "../../../lib/time_units.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import {
  judgeLoaded,
  type JudgingOptions,
  loadStoredRuns,
} from "../../../server/schedules/loaded_runs.ts";
import { recipientFacts } from "../../../server/schedules/recipient_facts.ts";
import { runOn } from "../store/rows.ts";
import { testRecords } from "../store/on_both.ts";

Deno.test("loadStoredRuns: the newest runs, whether there may be others, and their version", async () => {
  const found = [3, 2, 1].map((id) => {
    const startTime = `2026-01-0${id}T06:00:00Z`;
    return { id, start: Date.parse(startTime), run: { id, startTime } };
  });
  const stored = {
    version: () => Promise.resolve("v1"),
    newest: (_: number, max: number) => Promise.resolve(found.slice(0, max)),
  };
  for (const [max, isWhole, count] of [[3, true, 3], [2, true, 2], [3, false, 3]] as const) {
    const { runs, ...known } = await loadStoredRuns(stored, 7, { max, isWhole });
    assertEquals(runs.map(({ id }) => id), [3, 2, 1].slice(0, count));
    const olderUnread = count < 3 || !isWhole;
    const key = `7 ${max} ${isWhole} v1`;
    const stopped = olderUnread ? "enough" : "end";
    assertEquals(known, { key, stopped, olderUnread, newerUnread: false });
  }
});

Deno.test("judgeLoaded: a verdict is cached for a minute, for the same question", async () => {
  const now = Date.UTC(2026, 0, 20, 12);
  const runs = [{ id: 1, startTime: "2026-01-01" }, { id: 2, startTime: "2100-01-01" }];
  const history = { runs, olderUnread: false, newerUnread: true };
  const questions: unknown[] = [];
  const judgeHistory: JudgingOptions["judgeHistory"] = (...question) => {
    questions.push(question);
    return Promise.resolve({ state: "up" } as Verdict);
  };
  const judge = (options: Partial<JudgingOptions> = {}, key: string | undefined = "test v1") =>
    judgeLoaded({ ...history, key, stopped: "end" }, {
      judgeHistory,
      statuses: {},
      now,
      ...options,
    });
  const late = () => judge({ judgeHistory: () => Promise.reject(new Error("late")) });
  const { problem } = await assertRejects(late, ProblemError);
  assertEquals([problem.status, problem.retryAfterSeconds], [503, 5]);
  // The next request tries again; who asks at the same time gets the same one.
  const [first] = await Promise.all([judge(), judge(), judge({ now: now + MINUTE - 1 })]);
  assertEquals(first, { state: "up", runs: runs.slice(0, 1) } as unknown as Verdict);
  assertEquals(questions, [[history, { statuses: {}, now }]]);
  const others = [{ now: now + MINUTE }, { statuses: { sent: "good" } }, { plans: [] }] as const;
  for (const other of others) await judge(other);
  await judge({}, "test v2");
  assertEquals(questions.length, 5);
  const unstored = { ...history, stopped: "end" } as const;
  for (const _ of [1, 2]) await judgeLoaded(unstored, { judgeHistory, statuses: {}, now });
  assertEquals(questions.length, 7, "what no version names is judged each time");
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
