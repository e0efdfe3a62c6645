import { assert } from "@std/assert";
import fc from "fast-check";
import { DAY, HOUR, MINUTE, SECOND } from "../../../lib/time_units.ts";
import { judgeSchedule } from "../../../lib/judgement/judge_schedule.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import { GRACE, START, withWorld } from "./world.ts";

const LATEST = 14 * HOUR;
const STEP = 29 * MINUTE;
const EVERY_MS = 10 * MINUTE;

/** What time alone brings. */
const BROUGHT = ["stuck", "overdue", "late"];

/** A weekly or daily schedule, how long its runs take, and what happens besides. */
const anySchedule = fc.record({
  cron: fc.constantFrom("0 0 * * 2", "0 0 * * *", "0 */12 * * *"),
  usualMs: fc.integer({ min: 1, max: 90 }).map((minutes) => minutes * MINUTE),
  isFirstOpen: fc.boolean(),
  // Runs of the same second would have the same id.
  others: fc.uniqueArray(
    fc.record({
      start: fc.integer({ min: -600, max: 900 }).map((at) => START + at * MINUTE + SECOND),
      isOpen: fc.boolean(),
    }),
    { maxLength: 3, selector: ({ start }) => start },
  ),
});
type AnySchedule = typeof anySchedule extends fc.Arbitrary<infer Value> ? Value : never;

/** Found wrong once: a run hangs, and people start another; or they do while one is due. */
const FOUND: readonly AnySchedule[] = [
  {
    cron: "0 0 * * 2",
    usualMs: HOUR / 2,
    isFirstOpen: true,
    others: [{ start: START + 2 * MINUTE, isOpen: false }],
  },
  {
    cron: "0 */12 * * *",
    usualMs: MINUTE,
    isFirstOpen: false,
    others: [{ start: START + 12 * HOUR + 2 * MINUTE, isOpen: false }],
  },
  {
    cron: "0 */12 * * *",
    usualMs: MINUTE,
    isFirstOpen: false,
    others: [{ start: START, isOpen: false }],
  },
  {
    cron: "0 */12 * * *",
    usualMs: MINUTE,
    isFirstOpen: false,
    others: [{ start: START + 12 * HOUR + SECOND, isOpen: true }],
  },
  // A run that just does not come, so that something is late whatever the others bring.
  { cron: "0 */12 * * *", usualMs: HOUR / 2, isFirstOpen: false, others: [] },
];

Deno.test("pollSchedule: whatever follows from the passing of time is sent within a round", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(anySchedule, async ({ cron, usualMs, isFirstOpen, others }) => {
      const plan = { cron: [cron], zone: "UTC", graceMs: GRACE, since: START - HOUR };
      const statuses = defaultStatusDictionary();
      await withWorld([1], async (world) => {
        function run(start: number, isOpen: boolean, automated: boolean) {
          const end = isOpen ? undefined : new Date(start + usualMs).toISOString();
          world.run(1, start, {
            automated,
            endTime: end,
            status: isOpen ? "running" : "success",
          });
        }
        for (let day = -20; day < 0; day++) run(START + day * DAY, false, true);
        const later = [
          { start: START, isOpen: isFirstOpen, automated: true },
          ...others.map((other) => ({ ...other, automated: false })),
        ];
        for (let at = START; at < START + LATEST; at += STEP) {
          const begun = later.filter(({ start }) => start <= at);
          for (const { start, isOpen, automated } of begun) run(start, isOpen, automated);
          for (const each of begun) later.splice(later.indexOf(each), 1);
          await world.until(at);
          const kept = (await world.records.verdicts.get(1))!;
          const runs = (await world.records.runs.newest(1, 100)).map(({ run }) => run);
          const reasonsAt = (now: number) =>
            judgeSchedule({ runs }, {
              now,
              statuses,
              plans: [plan],
              listingDelayMs: kept.details.waitsMs,
            }).reasons;
          const present = reasonsAt(at);
          for (const { code, since } of reasonsAt(at - EVERY_MS - 1)) {
            // What was overdue before the first look was never known.
            if (!BROUGHT.includes(code) || since! < START) continue;
            // After the grace, a run by hand stands for the planned one, which is late no more.
            if (!present.some((reason) => reason.code === code)) continue;
            seen.add(code);
            const isKept = kept.details.reasons.some((reason) => reason.code === code) ||
              code === "late" && kept.state === "down";
            assert(
              isKept,
              `${code} since ${since! - START}, not sent ${at - START} after the start`,
            );
          }
        }
      }, { plans: () => plan, everyMs: EVERY_MS });
    }),
    { numRuns: 1 + FOUND.length, examples: FOUND.map((each) => [each]) },
  );
  for (const code of BROUGHT) assert(seen.has(code), `nothing was ${code}`);
});
