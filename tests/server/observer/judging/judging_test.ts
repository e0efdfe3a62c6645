import { assert, assertEquals, assertRejects } from "@std/assert";
import { defaultStatusDictionary, judgeSchedule } from "../../../../lib/mod.ts";
import {
  createJudging,
  type Judging,
  JudgingError,
} from "../../../../server/observer/judging/judging.ts";
import { DAY, HOUR, MINUTE } from "../../../../lib/time_units.ts";
import { saveCalendar } from "../../../../server/actions/save_calendar.ts";
import type { ObserverRecords } from "../../../../server/store/records/observer_records.ts";
import { ADA } from "../../../actors.ts";
import { randomFrom } from "../../../lib/judgement/histories/random.ts";
import { momentsFrom, runsAt } from "../../../lib/judgement/runs_at.ts";
import { judged } from "../world.ts";

const NOW = Date.UTC(2026, 0, 1);
const OPTIONS = { now: NOW, statuses: defaultStatusDictionary() };

/** Runs at any time, about five a day: those without a pattern take longest to judge. */
function noise(count: number) {
  const random = randomFrom(3);
  const days = Math.min(count / 5, 365);
  const starts = Array.from({ length: count }, () => NOW - random.next() * days * DAY);
  const runs = JSON.stringify(runsAt(starts, MINUTE));
  return { runs, ...OPTIONS, plans: [], pauses: [] };
}

/** Workers come last on a busy machine. */
const UNHURRIED = { deadlineMs: 600_000, pollDeadlineMs: 600_000 };

async function withJudging(
  test: (judging: Judging) => Promise<void>,
  options: Parameters<typeof createJudging>[0] = UNHURRIED,
): Promise<void> {
  const judging = createJudging(options);
  try {
    await test(judging);
  } finally {
    judging.close();
  }
}

Deno.test("createJudging: what takes a page too long is refused, a poll is not", () =>
  withJudging(async (judging) => {
    const history = { runs: JSON.parse(noise(5).runs) };
    await assertRejects(() => judging.judgeHistory(history, OPTIONS), JudgingError);
    assertEquals(await judging.judge(noise(5)), structuredClone(judged(noise(5))));
    // Its rule never finds a day.
    const rule = "FREQ=DAILY;INTERVAL=7;BYDAY=MO";
    const event = `BEGIN:VEVENT\nDTSTART;VALUE=DATE:20251225\nRRULE:${rule}\nEND:VEVENT`;
    const days = `BEGIN:VCALENDAR\n${event}\nEND:VCALENDAR`;
    const watches = { known: () => Promise.resolve(new Map()) };
    const services = { records: { watches } as unknown as ObserverRecords, judging };
    const save = () => saveCalendar(services, { name: "Endless", days }, { actor: ADA, now: NOW });
    await assertRejects(save, Error, "The calendar took too long to be read");
  }, { ...UNHURRIED, deadlineMs: 0 }));

Deno.test("createJudging: a poll goes before pages, and replays leave a worker to others", () =>
  withJudging(async (judging) => {
    const leaving = new AbortController();
    const runs = JSON.parse(noise(2000).runs);
    const ended: string[] = [];
    const end = (name: string, answer: Promise<unknown>) =>
      answer.catch(() => {}).finally(() => ended.push(name));
    const replay = () =>
      judging.backtest(runs, { ...OPTIONS, plans: [], pauses: [] }, leaving.signal);
    const page = () => judging.judgeHistory({ runs: runs.slice(0, 5) }, OPTIONS);
    const replays = [replay, replay].map((ask) => end("replay", ask()));
    // One at work, and with a replay as many as may wait.
    const pages = Array.from({ length: 200 }, () => end("page", page()));
    const poll = end("poll", judging.judge(noise(5)));
    const refused = await assertRejects(page, JudgingError, "Too many histories");
    assert(refused.isUntried);
    await Promise.all([poll, ...pages]);
    assertEquals(ended.slice(0, 3), ["page", "poll", "page"]);
    leaving.abort();
    await Promise.all(replays);
  }, { ...UNHURRIED, max: 2 }));

Deno.test("createJudging: judges beside the loop, as judgeSchedule and replay do", () =>
  withJudging(async (judging) => {
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 1);
    const answer = await judging.judge(noise(200));
    clearInterval(ticking);
    // Judged in this loop, there would be one.
    assert(ticks > 10, `${ticks} ticks`);
    assertEquals(answer, structuredClone(judged(noise(200))));
    const runs = JSON.parse(noise(50).runs);
    const { runs: _, ...verdict } = judgeSchedule({ runs }, OPTIONS);
    assertEquals(await judging.judgeHistory({ runs }, OPTIONS), structuredClone(verdict));
    const daily = runsAt(momentsFrom(NOW - 40 * DAY, 40), MINUTE);
    daily[35] = { ...daily[35], status: "failure" };
    const incidents = await judging.backtest(daily, { ...OPTIONS, plans: [], pauses: [] });
    assertEquals(incidents.map(({ code }) => code), ["failing"]);
    // The first plan judges what was before it, too, and each until the next.
    const dayPlan = { cron: ["0 0 * * *"], zone: "UTC", graceMs: MINUTE, since: NOW - DAY };
    const plans = [dayPlan, { ...dayPlan, cron: ["0 * * * *"], since: NOW - 2.5 * HOUR }];
    const gap = daily.toSpliced(20, 1);
    const changed = await judging.backtest(gap, { ...OPTIONS, plans, pauses: [] });
    const hourly = NOW - 2 * HOUR + MINUTE + 1;
    assertEquals(changed.map(({ code }) => code), ["overdue", "failing", "overdue"]);
    assertEquals([changed[0].opened, changed[2].passed], [hourly, NOW - 19 * DAY]);
  }));

Deno.test("createJudging: without workers it answers in this thread", async () => {
  const { Worker } = globalThis;
  Reflect.deleteProperty(globalThis, "Worker");
  try {
    await withJudging(async (judging) => {
      assertEquals(await judging.judge(noise(5)), judged(noise(5)));
      const broken = () => judging.judge({ ...noise(1), runs: "[" });
      await assertRejects(broken, JudgingError, "JSON");
      const waiting = judging.judge(noise(5));
      judging.close();
      assert((await assertRejects(() => waiting, JudgingError, "stopping")).isUntried);
    });
  } finally {
    Object.assign(globalThis, { Worker });
  }
});

Deno.test("answerTo: people are those whom the last good run lists, whatever it claims", () => {
  const people = (recipients: readonly object[] | null) => {
    const [run] = runsAt([NOW - DAY], MINUTE);
    const runs = JSON.stringify([{ ...run, recipientCount: Number.MAX_SAFE_INTEGER, recipients }]);
    const { people, reached } = judged({ ...noise(0), runs });
    return [people, reached.split(" ").length];
  };
  const recipients = ["a", "b", "b"].map((name) => ({
    userId: 0,
    emailAddress: `${name}@x.example`,
  }));
  assertEquals([people(recipients), people(null)], [[2, 2], [null, 1]]);
});

Deno.test("answerTo: waits for the lag in listing, or without a plan for a usual run", () => {
  const runs = JSON.stringify(runsAt(momentsFrom(NOW, 20, -DAY), 10 * MINUTE));
  const plans = [{ cron: ["0 0 * * *"], zone: "UTC", graceMs: MINUTE, since: 0 }];
  const waits = (more: object) => judged({ ...noise(0), runs, ...more }).details.waitsMs / MINUTE;
  assertEquals([waits({}), waits({ plans }), waits({ plans, lag: 5 * MINUTE })], [10, 0, 5]);
  assertEquals(waits({ lag: DAY }), 60, "at most an hour, or twice as long as a usual run");
  const long = JSON.stringify(runsAt(momentsFrom(NOW, 20, -DAY), 40 * MINUTE));
  assertEquals(waits({ lag: DAY, runs: long }), 80);
});

Deno.test("answerTo: lists what was missed, and what comes today but for pauses", () => {
  const starts = momentsFrom(NOW - 6 * HOUR, 160, -6 * HOUR);
  const missed = [starts[4], starts[9]];
  const { day, strip, nextDue, overdue, lastSuccess, details } = judged({
    ...OPTIONS,
    now: NOW + HOUR,
    runs: JSON.stringify(runsAt(starts.filter((start) => !missed.includes(start)), MINUTE)),
    plans: [{ cron: ["0 */6 * * *"], zone: "UTC", graceMs: 5 * MINUTE, since: 0 }],
    pauses: [{ from: NOW + 11 * HOUR, to: NOW + 13 * HOUR }],
  });
  const planned = day.map(({ at, outcome }) => `${(at - NOW) / HOUR} ${outcome}`).join();
  assertEquals(planned, "-24 met,-18 met,-12 met,-6 met,0 overdue,6 due,18 due,24 due");
  assertEquals([strip.length, strip.at(-1)!.at], [20, NOW]);
  assertEquals(strip.filter(({ outcome }) => outcome === "missed").length, missed.length);
  assertEquals([nextDue, overdue, lastSuccess], [NOW + 6 * HOUR, 1, starts[0]]);
  assertEquals(details.missed.map(({ at }) => at), missed);
  assertEquals([details.missedCount, details.oldest], [missed.length, starts[159]]);
});
