import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  cellWords,
  DAY_HOURS,
  dayCells,
  hoursUntil,
  worstOf,
} from "../../../../components/runs/charts/day_grid.ts";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 2, 10, 12, 34);
const HOURS = hoursUntil(NOW);
const NOTHING = {
  now: NOW,
  planned: null,
  runs: [],
  statuses: defaultStatusDictionary(),
  missed: [],
  overdue: [],
  nextDue: null,
};

Deno.test("hoursUntil: 24 hours that end with the current one", () => {
  assertEquals(HOURS.length, DAY_HOURS);
  assertEquals(HOURS[0], Date.UTC(2026, 2, 9, 13));
  assertEquals(HOURS.at(-1), Date.UTC(2026, 2, 10, 12));
});

Deno.test("dayCells: runs, missed, overdue and due slots go into their hours", () => {
  const cells = dayCells({
    ...NOTHING,
    runs: [
      { id: 1, start: HOURS[0], status: "success" },
      { id: 2, start: HOURS[1] - 1, status: "FAILURE" },
      { id: 3, start: HOURS[1], status: "odd" },
      { id: 4, start: HOURS[1], status: null },
    ],
    missed: [{ at: HOURS[5] + 1 }],
    overdue: [{ at: HOURS[6] }, { at: HOURS[6] + HOUR - 1 }],
    nextDue: NOW + 60_000,
  }, HOURS);
  // The failed run, which its cell leads to.
  assertEquals(cells[0], { good: 1, bad: 1, failedRun: 2 });
  assertEquals(cells[1], { neutral: 2 });
  assertEquals(cells[5], { missed: 1 });
  assertEquals(cells[6], { overdue: 2 });
  assertEquals(cells[23], { due: 1 });
  assertEquals(cells.map(worstOf).filter((kind) => kind !== null), [
    "bad",
    "neutral",
    "missed",
    "overdue",
    "due",
  ]);
  assertEquals(cellWords(cells[0]), "1 failed, 1 succeeded");
  assertEquals(cellWords(cells[6]), "2 overdue");
});

Deno.test("dayCells: what is in the span is counted once, what is outside or has no time is not", () => {
  const moments = fc.array(fc.option(fc.integer({ min: NOW - 72 * HOUR, max: NOW + 24 * HOUR })));
  fc.assert(fc.property(moments, (starts) => {
    const runs = starts.map((start, id) => ({ id, start, status: "success" }));
    const cells = dayCells({ ...NOTHING, runs }, HOURS);
    const inside = starts.filter((at) => at !== null && at >= HOURS[0] && at < HOURS[23] + HOUR);
    assertEquals(cells.reduce((sum, { good = 0 }) => sum + good, 0), inside.length);
  }));
});

Deno.test("dayCells: a planned run is met or late, what was not planned says so, and the rest is due", () => {
  const grace = 10 * 60_000;
  const cells = dayCells({
    ...NOTHING,
    planned: {
      slots: [HOURS[0] - HOUR / 2, HOURS[2], HOURS[4], HOURS[6], HOURS[23] + 1_800_000],
      graceMs: grace,
    },
    runs: [
      // Of the slot before these hours, 40 minutes late.
      { id: 5, start: HOURS[0] + 600_000, status: "success" },
      { id: 6, start: HOURS[2] + grace, status: "success" },
      { id: 7, start: HOURS[4] + grace + 1, status: "success" },
      { id: 8, start: HOURS[6] + HOUR - 1, status: "failure" },
      { id: 9, start: HOURS[6] + HOUR, status: "success" },
    ],
  }, HOURS);
  assertEquals(cells.filter((cell) => worstOf(cell) !== null), [
    { late: 1 },
    { good: 1 },
    { late: 1 },
    { bad: 1, failedRun: 8 },
    { good: 1, isUnplanned: true },
    { due: 1 },
  ]);
  assertEquals(cells.map(cellWords).filter((words) => words !== ""), [
    "1 succeeded late",
    "1 succeeded",
    "1 succeeded late",
    "1 failed",
    "1 succeeded, not planned",
    "1 due",
  ]);
});

Deno.test("dayCells: a slot whose grace is over is not due, and the next one counts once", () => {
  const slots = [NOW - 700_000, NOW - 60_000];
  const cells = dayCells({
    ...NOTHING,
    planned: { slots, graceMs: 600_000 },
    nextDue: NOW - 60_000,
  }, HOURS);
  assertEquals(cells[23], { due: 1 });
});
