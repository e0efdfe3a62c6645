import { assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { reasonText, type ReportRun } from "../../../lib/mod.ts";
import { judgeAt, runAt } from "./runs_at.ts";

const FIRST = Date.UTC(2026, 2, 2, 6);
const DAYS = 21;
const ADA = { userId: 7, displayName: "Ada", emailAddress: "ada@example.com" };
const BOB = { userId: 8, displayName: "Bob", emailAddress: "bob@example.com" };

/** What follows the run at 06:00 of a day: by age, 0 for the newest; minutes after it, and changes. */
type Later = (age: number) => readonly (readonly [minutes: number, change?: Partial<ReportRun>])[];

/** A report that goes out to Ada at 06:00 each day, and its further runs. */
function history(
  later: Later,
  first: (age: number) => Partial<ReportRun> = () => ({}),
): ReportRun[] {
  return Array.from({ length: DAYS }, (_, day) => {
    const age = DAYS - 1 - day;
    const start = FIRST + day * DAY;
    const run = (minutes: number, change: Partial<ReportRun> = {}) =>
      runAt(10_000 + day * 100 + minutes, start + minutes * MINUTE, {
        endTime: new Date(start + minutes * MINUTE + 30_000).toISOString(),
        recipients: [ADA],
        ...change,
      });
    return [run(0, first(age)), ...later(age).map((each) => run(...each))];
  }).flat();
}

function judged(
  runs: readonly ReportRun[],
  now = FIRST + (DAYS - 1) * DAY + 20 * HOUR,
  calendar: readonly string[] = [],
) {
  const { headline, reasons } = judgeAt(now, runs, { calendar });
  const reason = reasons.find(({ code }) => code === "sent-twice");
  const text = reason && reasonText(reason);
  return { headline, severity: reason?.severity, text, runs: reason?.runs.length, reason };
}

Deno.test("judgeSchedule: twice a day for three days is sent twice", () => {
  for (const minutes of [1, 40, 12 * 60]) {
    const { reason, ...shown } = judged(history((age) => age < 3 ? [[minutes]] : []));
    assertEquals(shown, {
      headline: "changed",
      severity: "warning",
      text: "3 planned runs in a row sent more than once, the last one twice for " +
        "Sun 22 Mar 06:00 UTC to 1 person",
      runs: 6,
    }, `${minutes} minutes later`);
    // While it goes on, it stays about its first run.
    assertEquals([reason?.since, reason?.subject], [FIRST + (DAYS - 3) * DAY, "11800"]);
  }
});

Deno.test("judgeSchedule: what repeats a run, and what does not", () => {
  const newest = (...later: ReturnType<Later>): Later => (age) => age === 0 ? later : [];
  const once = "sent twice for Sun 22 Mar 06:00 UTC to 1 person";
  const failed = (age: number) => age === 0 ? { status: "failure" } : {};
  const minutes = Array.from({ length: 11 }, (_, minute) => [minute + 1] as const);
  const cases: [name: string, Later, text?: string, first?: Parameters<typeof history>[1]][] = [
    ["each day", () => [[40]]],
    ["each fifth day", (age) => age % 5 === 0 ? [[40]] : []],
    ["for twelve days", (age) => age < 12 ? [[40]] : []],
    ["a retry", newest([5]), undefined, failed],
    ["two retries", newest([5], [9]), once, failed],
    ["by hand", newest([5, { automated: false }])],
    ["a failure", newest([5, { status: "failure" }])],
    ["to others", newest([5, { recipients: [BOB] }])],
    ["to others, and again", newest([5, { recipients: [BOB] }], [9]), once],
    ["each minute", newest(...minutes), once.replace("twice", "12 times")],
  ];
  for (const [name, later, text, first] of cases) {
    assertEquals(judged(history(later, first)).text, text, name);
  }
});

Deno.test("judgeSchedule: runs that make up for missed ones, or are early, repeat nothing", () => {
  const withoutRunsOf = (days: RegExp, age: number, minutes: number[]) =>
    judged(
      history((each) => each === age ? minutes.map((minute) => [minute] as const) : [])
        .filter(({ startTime }) => !days.test(startTime!)),
    ).text;
  assertEquals(withoutRunsOf(/-03-2[01]T/, 0, [1, 2]), undefined);
  // It is nearer to the missed run of the next day.
  assertEquals(withoutRunsOf(/-03-21T06/, 2, [20 * 60]), undefined);
  const twice = "sent twice for Fri 20 Mar 06:00 UTC to 1 person";
  assertEquals(withoutRunsOf(/-03-21T06/, 2, [4 * 60]), twice);
  // A run shortly before the next planned one, and one that is hours early.
  for (const calendar of [[], ["2026-03-23"]]) {
    const runs = [24 * 60 - 5, 20 * 60].map((minutes) => {
      const known = history((age) => age === 0 ? [[minutes]] : []);
      return judged(known, FIRST + DAYS * DAY - 4 * MINUTE, calendar).runs;
    });
    assertEquals(runs, [undefined, 2]);
    // Nor does that change as the next one is due or overdue.
    const known = history((age) => age === 0 ? [[20 * 60]] : []);
    const later = [0, HOUR].map((ms) => judged(known, FIRST + DAYS * DAY + ms, calendar).runs);
    assertEquals(later, [2, 2]);
  }
});

Deno.test("judgeSchedule: runs of a plan that moved ahead repeat nothing, confirmed or not", () => {
  for (const hours of [1, 1.5, 4]) {
    const starts = Array.from(
      { length: DAYS },
      (_, day) => FIRST + day * DAY - (day < DAYS - 2 ? 0 : hours * HOUR),
    );
    const runs = starts.map((start, id) => runAt(id, start, { recipients: [ADA] }));
    const now = starts.at(-1)! + 20 * MINUTE;
    const cron = [`${hours % 1 * 60} ${6 - Math.ceil(hours)} * * *`];
    const plan = { cron, zone: "UTC", graceMs: 20 * MINUTE, since: now };
    // Hours before it is due, a run may as well be a repetition, until the plan is known.
    for (const plans of hours < 2.4 ? [[], [plan]] : [[plan]]) {
      const reasons = judgeAt(now, runs, { plans }).reasons.map(({ code }) => code);
      assertEquals(reasons.includes("sent-twice"), false, `${hours} h, ${plans.length} plans`);
    }
  }
});
