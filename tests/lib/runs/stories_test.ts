import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  checkRuns,
  defaultStatusDictionary,
  type Finding,
  inferCadence,
  judgeHealth,
  measureDurations,
  outsideNewcomers,
  recipientDomains,
  recipientHistories,
  type ReportRun,
  trendOf,
} from "../../../lib/mod.ts";
import { DAY, shiftFor } from "../../../server/store/sample/clock.ts";
import { MISSED_DAYS, sampleRuns } from "../../../server/store/sample/runs.ts";
import { STORIES } from "../../../server/store/sample/stories.ts";

/** The sample's newest day is the day before. */
const NOW = new Date("2026-11-21T00:30:00Z");
const dictionary = defaultStatusDictionary();

function runsOf(scheduleId: number, count = 400): ReportRun[] {
  return sampleRuns(scheduleId, count, shiftFor(NOW)) as ReportRun[];
}

function daysAgo(run: ReportRun | null | undefined): number {
  return Math.floor((NOW.getTime() - Date.parse(run?.startTime ?? "")) / DAY);
}

const cadenceOf = (scheduleId: number, count?: number) =>
  inferCadence(runsOf(scheduleId, count), NOW.getTime());

Deno.test("judgeHealth: 101 has always succeeded, as far back as is known", () => {
  const { successRate, streak, longestBad } = judgeHealth(runsOf(101), dictionary);
  assertEquals([successRate, streak?.meaning, streak?.count], [1, "good", 400]);
  assertEquals([streak?.reachesBack, longestBad], [true, null]);
});

Deno.test("judgeHealth: 102 has been failing for a week", () => {
  const { streak, lastGood, longestBad } = judgeHealth(runsOf(102), dictionary);
  assertEquals([streak?.meaning, streak?.count, streak?.reachesBack], ["bad", 7, false]);
  assertEquals([daysAgo(streak?.first), daysAgo(lastGood)], [6, 7]);
  assertEquals(longestBad, streak);
});

Deno.test("judgeHealth: 111 fails now and then, never twice in a row", () => {
  const { streak, longestBad, successRate } = judgeHealth(runsOf(111), dictionary);
  assertEquals([streak?.meaning, longestBad?.count], ["good", 1]);
  assert(successRate! > 0.8 && successRate! < 0.95, String(successRate));
});

Deno.test("inferCadence: 103 missed the nine days that it did not run on, and no other", () => {
  const cadence = cadenceOf(103)!;
  const missed = cadence.missed.map(({ at }) => Math.floor((NOW.getTime() - at) / DAY));
  assertEquals(missed, MISSED_DAYS);
  assertEquals(cadence.minutes, [4 * 60 + 15, 4 * 60 + 15]);
});

for (const { scheduleId, kind } of STORIES) {
  if (kind === "missed" || kind === "never") continue;
  for (const count of [100, 400]) {
    Deno.test(`inferCadence: ${scheduleId}, ${kind}, missed nothing in ${count} runs`, () => {
      const cadence = cadenceOf(scheduleId, count);
      assertEquals(cadence?.missed, []);
      assertEquals(cadence?.overdue, []);
    });
  }
}

Deno.test("inferCadence: 108 runs once a week, and the next one comes a week after the last", () => {
  const { periodMs, next, weekdays } = cadenceOf(108)!;
  const [latest] = runsOf(108, 1);
  assertAlmostEquals(periodMs, 7 * DAY, 60_000);
  assertAlmostEquals(next, Date.parse(latest.startTime!) + 7 * DAY, 60_000);
  assertEquals(weekdays.length, 1);
});

Deno.test("inferCadence: 109 runs hourly by day on five days, with what is missing found", () => {
  const { periodMs, minutes, weekdays } = cadenceOf(109)!;
  assertAlmostEquals(periodMs, DAY / 24, 60_000);
  assertEquals([minutes, weekdays.length], [[7 * 60, 18 * 60], 5]);
  const runs = runsOf(109);
  const lost = runs.slice(130, 133);
  const rest = runs.filter((run) => !lost.includes(run));
  const missed = inferCadence(rest)!.missed.map(({ at }) => Math.round(at / 3_600_000));
  assertEquals(missed, lost.map((run) => Math.round(Date.parse(run.startTime!) / 3_600_000)));
});

Deno.test("inferCadence: 110 runs daily, whoever else starts it by hand", () => {
  const { periodMs, minutes } = cadenceOf(110)!;
  assertAlmostEquals(periodMs, DAY, 60_000);
  assertEquals(minutes, [6 * 60 + 30, 6 * 60 + 30]);
  assertEquals(inferCadence(runsOf(110).filter((run) => !run.automated)), null);
});

Deno.test("trendOf: 104 grew from 6 recipients to 40, not at once", () => {
  const trend = trendOf(runsOf(104), (run) => run.recipientCount)!;
  assertEquals([trend.first, trend.least, trend.most, trend.jump], [6, 6, 40, null]);
  assert(trend.last > 35);
});

Deno.test("trendOf: 105 became ten times as large 40 days ago", () => {
  const { jump } = trendOf(runsOf(105), (run) => run.attachmentSize)!;
  assertEquals(daysAgo(jump?.run), 39);
  assertAlmostEquals(jump!.after / jump!.before, 10, 1);
});

Deno.test("measureDurations: 106 has its eleven slow runs as outliers, 101 has none", () => {
  const { outliers, count, p50, p95 } = measureDurations(runsOf(106));
  assertEquals([outliers.length, count], [11, 400]);
  assert(p50! < 60_000 && p95! < 60_000);
  assertEquals(measureDurations(runsOf(101)).outliers, []);
});

Deno.test("checkRuns: finds the jump of 105 and the open ends of 102, and nothing in 101", () => {
  const kindsOf = (scheduleId: number) => {
    const findings: Finding<ReportRun>[] = checkRuns(runsOf(scheduleId), {
      dictionary,
      now: NOW.getTime(),
    });
    return [...new Set(findings.map(({ kind }) => kind))];
  };
  assertEquals(kindsOf(101), []);
  assertEquals(kindsOf(102), ["no-end"]);
  assertEquals(kindsOf(105), ["size-jump"]);
});

Deno.test("outsideNewcomers: 112 has one for five days, 104 took its subsidiary in long ago", () => {
  const newcomersOf = (scheduleId: number) => {
    const runs = runsOf(scheduleId);
    return outsideNewcomers(runs, recipientHistories(runs, dictionary));
  };
  const [{ domain, history }, ...others] = newcomersOf(112);
  assertEquals([domain, history.count, others], ["partner.example.net", 5, []]);
  assertEquals(daysAgo(history.first), 4);
  assertEquals(newcomersOf(104), []);
  const histories = recipientHistories(runsOf(104), dictionary);
  assertEquals(
    recipientDomains(histories).map(({ domain, recipients }) => [domain, recipients]),
    [["example.com", 28], ["example.org", 12]],
  );
});

Deno.test("judging runs: a schedule that never ran is judged in no way", () => {
  const { successRate, latest, streak } = judgeHealth([], dictionary);
  assertEquals([successRate, latest, streak], [null, null, null]);
  assertEquals([inferCadence([]), trendOf([], () => 1)], [null, null]);
  assertEquals(measureDurations([]).p50, null);
});
