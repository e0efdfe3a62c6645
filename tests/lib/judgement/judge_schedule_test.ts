import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { DAY, HOUR } from "../../../lib/time_units.ts";
import { defaultStatusDictionary, judgeSchedule } from "../../../lib/mod.ts";
import { anyRuns } from "../runs/arbitrary.ts";
import { judgeAt, momentsFrom, runsAt } from "./runs_at.ts";

const statuses = defaultStatusDictionary();

const daily = (count: number, from = Date.UTC(2026, 0, 1, 6)) =>
  runsAt(momentsFrom(from + 3000, count), 37_000);

Deno.test("judgeSchedule: neither the order of runs nor repeated ids matter", () => {
  const now = Date.UTC(2026, 0, 31, 12);
  const runs = daily(30).toSpliced(12, 1).with(5, { id: 5, status: "failure" });
  const verdict = judgeAt(now, runs);
  assertEquals(verdict.schedule?.counts, { missed: 2, overdue: 1 });
  const shuffled = runs.toSorted((a, b) => a.id * 7919 % 101 - b.id * 7919 % 101);
  const repeated = [...runs, { ...runs[3], status: "failure" }];
  for (const others of [runs.toReversed(), shuffled, repeated]) {
    assertEquals(judgeAt(now, others), verdict);
  }
});

Deno.test("judgeSchedule: nothing is overdue where newer runs were not read", () => {
  const now = Date.UTC(2026, 1, 20);
  const unread = { runs: daily(30), newerUnread: true };
  const { schedule, state, reasons } = judgeSchedule(unread, { now, statuses });
  assertEquals([schedule?.overdue, state], [[], "unknown"]);
  assert(reasons.some(({ code }) => code === "unreadable"));
  // Nor is it known then whether it ever ran.
  const never = judgeSchedule({ runs: [], newerUnread: true }, { now, statuses });
  assertEquals([never.state, never.reasons.map(({ code }) => code)], ["unknown", ["unreadable"]]);
});

Deno.test("judgeSchedule: a confirmed plan that fits no run does not hide that they stopped", () => {
  const first = Date.UTC(2026, 0, 1, 6);
  const runs = runsAt(momentsFrom(first, 20));
  const plan = { cron: ["5 6 * * *"], zone: "UTC", graceMs: HOUR, since: first };
  const { state, reasons, schedule } = judgeAt(first + 30 * DAY, runs, { plans: [plan] });
  assertEquals([state, reasons[0].code], ["down", "overdue"]);
  // The newest run is that of 20 January.
  assertEquals(schedule?.counts, { missed: 19, overdue: 11 });
});

Deno.test("judgeSchedule: never run is new, and down once a confirmed plan is due", () => {
  const now = Date.UTC(2026, 0, 5, 12);
  const never = judgeAt(now, []);
  assertEquals([never.state, never.reasons.map(({ code }) => code)], ["new", ["never-ran"]]);
  const plan = { cron: ["0 6 * * *"], zone: "UTC", graceMs: 300_000, since: Date.UTC(2026, 0, 4) };
  const due = judgeAt(now, [], { plans: [plan] });
  assertEquals([due.state, due.schedule?.counts.overdue], ["down", 2]);
});

Deno.test("judgeSchedule: lists of slots end at 500, and counts don't", () => {
  const runs = [
    ...daily(40),
    ...daily(5, Date.UTC(2029, 0, 1, 6)).map((run) => ({ ...run, id: run.id + 900 })),
  ];
  const plan = { cron: ["0 6 * * *"], zone: "UTC", graceMs: 300_000, since: 0 };
  const { schedule } = judgeAt(Date.UTC(2029, 0, 5, 12), runs, { plans: [plan] });
  const between = (Date.UTC(2029, 0, 1) - Date.UTC(2026, 0, 1)) / DAY - 40;
  assertEquals([schedule?.missed.length, schedule?.counts.missed], [500, between]);
});

Deno.test("judgeSchedule: no possible start is a warning, an old end before its start is none", () => {
  const severityOf = (startTime: string | null, endTime: string) => {
    const odd = { id: 99, status: "success", startTime, endTime };
    const { reasons, runs } = judgeAt(Date.UTC(2026, 1, 9, 12), [...daily(40), odd]);
    return [reasons.find(({ code }) => code === "clock")?.severity, runs.length];
  };
  assertEquals(severityOf("1970-01-01T06:00:00Z", "1970-01-01T06:01:00Z"), ["warning", 40]);
  assertEquals(severityOf(null, "2026-02-09T06:01:00Z"), ["warning", 40]);
  assertEquals(severityOf("2026-01-01T09:01:00Z", "2026-01-01T09:00:00Z"), ["info", 41]);
});

Deno.test("judgeSchedule: sizes are those of runs that did not fail", () => {
  const runs = daily(40).map((run, day) =>
    day % 4 === 0
      ? { ...run, status: "failure", attachmentSize: 0 }
      : { ...run, attachmentSize: 500_000 + day }
  );
  const { attachmentSize } = judgeAt(Date.UTC(2026, 1, 9, 12), runs);
  assertEquals([attachmentSize?.count, attachmentSize?.least], [30, 500_001]);
});

Deno.test("judgeSchedule: a planned run on a calendar's day is neither missed nor overdue", () => {
  const zone = "Pacific/Auckland";
  // At 08:00 in Auckland it is still the day before in UTC.
  const first = Date.UTC(2026, 4, 31, 20);
  const runs = runsAt(momentsFrom(first, 20), 60_000).filter(({ id }) => id !== 9 && id !== 19);
  const plans = [{ cron: ["0 8 * * *"], zone, graceMs: 300_000, since: 0 }];
  const judged = (...calendar: string[]) =>
    judgeAt(first + 19 * DAY + HOUR, runs, { plans, calendar }).schedule!;
  assertEquals(judged().counts, { missed: 1, overdue: 1 });
  assertEquals(judged("2026-06-10", "2026-06-20").counts, { missed: 0, overdue: 0 });
  assertEquals(judged("2026-06-09", "2026-06-19").counts, { missed: 1, overdue: 1 });
  // The next run is that of the day after.
  assertEquals(judged("2026-06-21", "2026-06-22").next, judged().next! + 2 * DAY);
});

Deno.test("judgeSchedule: nothing crashes, changes its input or gives a number that is none", () =>
  fc.assert(fc.property(anyRuns, (runs) => {
    const before = structuredClone(runs);
    const { health, durations, attachmentSize, newcomers } = judgeAt(Date.UTC(2026, 2, 1), runs);
    assertEquals(runs, before);
    assertEquals(Object.values(health.counts).reduce((sum, count) => sum + count), health.count);
    const numbers = [
      ...[health.successRate, durations.p50, durations.p95],
      ...[attachmentSize?.first, attachmentSize?.last],
    ].filter((number) => number !== null && number !== undefined);
    assert(numbers.every(Number.isFinite), String(numbers));
    assert(newcomers.every(({ domain }) => domain !== ""));
  })));
