import { assertEquals } from "@std/assert";
import {
  DaySentence,
  outlook,
  troubleParts,
} from "../../../../components/runs/overview/day_words.tsx";
import type { PlannedRun } from "../../../../lib/judgement/judge_schedule.ts";
import { type ScheduleOfDay, summarizeDay } from "../../../../lib/judgement/day_summary.ts";
import { htmlOf, textOf } from "../../rendered.ts";
import { HOUR } from "../../../../lib/time_units.ts";

const FROM = Date.UTC(2026, 10, 23);
const NOW = FROM + 7 * HOUR + 5 * 60_000;
const SPAN = { from: FROM, to: FROM + 24 * HOUR, now: NOW };

const clock = (at: number) => new Date(at).toISOString().slice(11, 16);

/** A schedule whose planned runs are written as `hour: outcome`. */
function schedule(
  name: string,
  outcomes: Readonly<Record<string, PlannedRun["outcome"]>>,
  more: Partial<ScheduleOfDay> = {},
): ScheduleOfDay {
  const planned = Object.entries(outcomes)
    .map(([hour, outcome]) => ({ at: FROM + Number(hour) * HOUR, outcome, run: null }));
  const scheduleId = name.length;
  const people = more.reached?.split(" ").length ?? 0;
  return { scheduleId, name, headline: "healthy", people, reached: null, ...more, planned };
}

/** How the day goes. */
function said(...schedules: readonly ScheduleOfDay[]): string {
  return textOf(htmlOf(<DaySentence summary={summarizeDay(schedules, SPAN)} clock={clock} />));
}

Deno.test("DaySentence: says how many reports went out, and to how many different people", () => {
  const sales = schedule("Sales", { 6: "met", 7: "late" }, { reached: "a b" });
  const cash = schedule("Cash", { 5: "by-hand" }, { reached: "b c" });
  assertEquals(said(sales, cash), "All 3 reports due by now have gone out, to 3 people.");
  const claims = schedule("Claims", { 5: "failed" }, { reached: "x" });
  assertEquals(said(sales, claims), "2 of 3 reports due by now have gone out, to 2 people.");
  // The day before, later today, excused runs and those that nobody planned don't count.
  const others = schedule("Others", { "-1": "met", 5: "excused", 6: "extra", 9: "due" });
  assertEquals(said(cash, others), "The 1 report due by now has gone out, to 2 people.");
  assertEquals(said(claims), "The report due by now has not gone out.");
  const unnamed = schedule("Unnamed", { 6: "met" }, { people: 40 });
  assertEquals(said(unnamed), "The 1 report due by now has gone out, to about 40 people.");
  assertEquals(
    said(schedule("Unknown", { 6: "met" }, { people: null })),
    "The 1 report due by now has gone out.",
  );
});

Deno.test("DaySentence: what ended with an unknown status or was not read may have gone out", () => {
  const orders = schedule("Orders", { 6: "other", 7: "other" });
  assertEquals(said(orders), "None of the 2 reports due by now is known to have gone out.");
  const sent = "2 of 3 reports due by now are known to have gone out, to 1 person.";
  const sales = schedule("Sales", { 1: "met", 2: "met" }, { reached: "a" });
  assertEquals(said(sales, schedule("Orders", { 6: "other" })), sent);
  // Since it was last read, it was due.
  const polled = FROM + 6 * HOUR - 1;
  assertEquals(said(sales, schedule("Unread", { 6: "due", 8: "due" }, { polled })), sent);
  assertEquals(said(schedule("Unread", { 6: "due" })), "The report due by now has not gone out.");
  // Neither a good run nor a planned one.
  const extra = schedule("Extra", { 5: "extra-other", 6: "met" }, { reached: "a" });
  assertEquals(said(extra), "The 1 report due by now has gone out, to 1 person.");
});

Deno.test("DaySentence: before the first report, names it; without any, says so", () => {
  const two = [schedule("Later", { 12: "due" }), schedule("First", { 8.5: "due" })];
  assertEquals(said(...two), "No report has been due yet today. The first is First, at 08:30.");
  const weekly = schedule("Weekly", { "-20": "met" });
  assertEquals(said(weekly), "No report is planned for today.");
  const unread = schedule("Unread", {}, { headline: null });
  assertEquals(said(weekly, unread), "No report is planned for today, of what was read so far.");
});

Deno.test("troubleParts: the worst first; three schedules are named, others counted, all are links", () => {
  const states = ["healthy", "unknown", "outside", "overdue", "failing", "flaky"] as const;
  const one = states.map((headline) => schedule(headline, {}, { headline }));
  const parts = (...schedules: readonly ScheduleOfDay[]) =>
    troubleParts(summarizeDay(schedules, SPAN))
      .map(({ text, wrong, href }) => `${text} ${wrong} ${href}`);
  assertEquals(parts(...one, schedule("Old", { 5: "missed" })), [
    "failing failed /schedules/7",
    "overdue is overdue /schedules/7",
    "outside went outside /schedules/7",
    "1 report has an unknown state /?state=unknown#schedules",
    "1 report did not run /?state=missed#schedules",
  ]);
  const two = ["Stock", "Feed"].map((name) => schedule(name, {}, { headline: "empty" }));
  assertEquals(parts(...two), ["2 reports lacked content or recipients /?state=empty#schedules"]);
  assertEquals(parts(schedule("Claims", { 5: "failed", 6: "met" })), []);
  // The list of what missed a run has what fails too among what fails.
  const both = schedule("Claims", { 4: "missed", 5: "failed" }, { headline: "failing" });
  assertEquals(parts(both), ["Claims failed /schedules/6"]);
  const left = schedule("Margin", { 5: "met" }, { headline: "outside", isOfLeaver: true });
  assertEquals(parts(left), ["Margin went to somebody who left /schedules/6"]);
  assertEquals(parts(schedule("Few", {}, { headline: "unknown", isWithoutPlan: true })), []);
});

Deno.test("outlook: counts once each who waits for a report, and what comes later", () => {
  const schedules = [
    schedule("Claims", { 5: "failed", 9: "due" }, { headline: "failing", reached: "a b" }),
    schedule("Stock", { 6: "overdue", 8: "due" }, { headline: "overdue", reached: "b c" }),
    schedule("Margin", { 5: "met" }, { headline: "outside", reached: "d" }),
  ];
  const words = (...some: readonly ScheduleOfDay[]) => outlook(summarizeDay(some, SPAN), clock);
  const all = "3 people are still waiting. 2 more runs are due today, the next at 08:00.";
  assertEquals(words(...schedules), all);
  assertEquals(words(schedules[2]), "");
  // Before the first, the sentence before it says when that is.
  assertEquals(words(schedule("Sales", { 9: "due" })), "1 run is due today.");
});
