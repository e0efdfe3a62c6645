import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { expectedSlots, judgeSlots, latestSlots } from "../../../lib/judgement/slots.ts";
import { occurrencesOf, timedRuns } from "../../../lib/runs/occurrences.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import { runAt, runsAt } from "./runs_at.ts";

const BEGIN = Date.UTC(2026, 0, 5);
const statuses = defaultStatusDictionary();

function timedAt(starts: readonly (readonly [at: number, automated?: boolean])[], now: number) {
  const runs = starts.map(([at, automated = true], id) => runAt(id, at, { automated }));
  return timedRuns(runs, now, statuses).timed;
}

/** What happens at each slot, two hours apart: minutes late, and whether a person starts the run. */
const slotRuns = fc.array(
  fc.option(fc.tuple(fc.constantFrom(0, 1, 10, 11, 90, 114, 115, 118, 119), fc.boolean())),
  { maxLength: 11 },
);
const minutes = fc.integer({ min: 0, max: 26 * 60 });

/** The slot that a run belongs to: the next one from a minute before it, none of what is too late. */
function slotOf(time: number): number | null {
  const late = (time - BEGIN) % (2 * HOUR) / MINUTE;
  if (late >= 119) return time - late * MINUTE + 2 * HOUR;
  return late > 114 ? null : time - late * MINUTE;
}

Deno.test("judgeSlots: what becomes of each slot, judging it by itself", () =>
  fc.assert(
    fc.property(
      slotRuns,
      minutes,
      fc.array(fc.tuple(minutes, fc.option(minutes))),
      fc.constantFrom([10, 10], [300, 114]),
      fc.constantFrom(0, 7),
      (drawn, nowIn, spans, [grace, mostLate], delay) => {
        const plan = { cron: ["0 */2 * * *"], zone: "UTC", graceMs: grace * MINUTE, since: 0 };
        const [now, listingDelayMs] = [BEGIN + nowIn * MINUTE, delay * MINUTE];
        const runs = [[0, false] as const, ...drawn].flatMap((run, at) =>
          run ? [{ time: BEGIN + at * 2 * HOUR + run[0] * MINUTE, byHand: run[1] }] : []
        ).filter(({ time }) => time <= now);
        const pauses = spans.map(([from, length]) => ({
          from: BEGIN + from * MINUTE,
          to: length === null ? null : BEGIN + (from + length) * MINUTE,
        }));
        const isPaused = (at: number) =>
          pauses.some(({ from, to }) => from <= at && at < (to ?? Infinity));
        const started = runs.filter(({ byHand }) => !byHand).map(({ time }) => time);
        const expected: [at: number, outcome: string][] = [];
        for (let at = BEGIN; at <= now; at += 2 * HOUR) {
          const run = started.find((time) => slotOf(time) === at);
          const isByHand = runs.some(({ time, byHand }) =>
            byHand && time >= at && time < at + 2 * HOUR
          );
          // The next slot ends a grace.
          const end = at + mostLate * MINUTE;
          expected.push([
            at,
            run !== undefined
              ? run > end ? "late" : "met"
              : isPaused(at)
              ? "met"
              : end + listingDelayMs >= now
              ? "due"
              : isByHand
              ? "by-hand"
              : at <= started.at(-1)!
              ? "missed"
              : "overdue",
          ]);
        }
        const timed = timedAt(runs.map(({ time, byHand }) => [time, !byHand]), now);
        const held = { plan, from: 0 };
        const { slots, since, next } = judgeSlots(occurrencesOf(timed), [held], {
          now,
          pauses,
          listingDelayMs,
        });
        assertEquals(slots.map(({ at, outcome }) => [at, outcome]), expected);
        const isEndless = (at: number) => pauses.some(({ from, to }) => to === null && from <= at);
        const coming: number[] = [];
        for (let at = expected.at(-1)![0] + 2 * HOUR; coming.length < 3; at += 2 * HOUR) {
          if (isEndless(at)) break;
          if (!isPaused(at)) coming.push(at);
        }
        assertEquals(expectedSlots(plan, now + 1, pauses, 3), coming);
        assertEquals([since, next], [BEGIN, coming[0] ?? null]);
      },
    ),
    { numRuns: 300 },
  ));

/** Whether runs come on each day, and on days that are the same in each week. */
const anyDays = fc.array(fc.boolean(), { maxLength: 30 });
const someWeekdays = fc.tuple(
  fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
  fc.integer({ min: 18, max: 23 }),
).map(([week, count]) => Array.from({ length: count }, (_, day) => week[day % 7]));

Deno.test("judgeSlots: what nobody knows yet of a young or seldom schedule counts as met", () =>
  fc.assert(
    fc.property(fc.oneof(anyDays, someWeekdays), fc.boolean(), (later, isWeekly) => {
      const met = [true, ...later];
      const gap = isWeekly ? 7 * DAY : DAY;
      const cron = [isWeekly ? "0 0 * * 1" : "0 0 * * *"];
      const now = BEGIN + later.length * gap + HOUR;
      const plan = { cron, zone: "UTC", graceMs: 10 * MINUTE, since: 0 };
      const held = [{ plan, from: 0, firstStart: BEGIN }];
      const starts = met.flatMap((isMet, at): [number][] => isMet ? [[BEGIN + at * gap]] : []);
      const { slots } = judgeSlots(occurrencesOf(timedAt(starts, now)), held, { now });
      const isYoung = now < BEGIN + 21 * DAY;
      const expected = met.map((isMet, at) => {
        const isKnown = isWeekly
          ? starts.length >= 6
          : !isYoung || met.some((other, day) => other && day % 7 === at % 7);
        if (isMet || !isKnown) return "met";
        return met.lastIndexOf(true) > at ? "missed" : "overdue";
      });
      assertEquals(slots.map(({ outcome }) => outcome), expected);
    }),
    { numRuns: 200 },
  ));

Deno.test("latestSlots: as many as asked for of the last 800 days, often due or not", () => {
  const now = Date.UTC(2026, 0, 5, 6);
  // The oldest run is older than all of them.
  const runs = runsAt([now - 1000 * DAY, now]);
  const cases: readonly (readonly [cron: string, found: number, days: number, count?: number])[] = [
    ["* * * * *", 5, 4 / 1440],
    ["0 * * * *", 30, 29 / 24],
    ["0 6 * * *", 9, 8],
    ["0 6 * * 1", 4, 21],
    ["0 6 5 1 *", 3, 731, 5],
    ["0 6 30 2 *", 0, 0, 5],
  ];
  for (const [cron, found, days, count = found] of cases) {
    const plan = { cron: [cron], zone: "UTC", graceMs: 600_000, since: 0 };
    const slots = latestSlots(runs, plan, { now, statuses, count }).map(({ at }) => at);
    const expected = found === 0 ? [] : [now, now - days * DAY];
    assertEquals([slots.length, slots[0], slots.at(-1)], [found, expected[0], expected[1]], cron);
  }
});
