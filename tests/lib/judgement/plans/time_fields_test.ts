import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { readTimes } from "../../../../lib/judgement/plans/cron.ts";
import { timeFields } from "../../../../lib/judgement/plans/cron_text.ts";

/** Minutes of the day, each a step after the one before. */
function every(step: number, from = 0, through = 1439): number[] {
  const minutes: number[] = [];
  for (let minute = from; minute <= through; minute += step) minutes.push(minute);
  return minutes;
}

Deno.test("timeFields: any minutes of the day, read back from the fields, are the same minutes", () =>
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uniqueArray(fc.integer({ min: 0, max: 1439 }), { minLength: 1, maxLength: 40 }),
        fc.record({
          step: fc.constantFrom(5, 15, 20, 30, 45, 60, 90, 120),
          from: fc.integer({ min: 0, max: 1439 }),
          through: fc.integer({ min: 0, max: 1439 }),
        }).map(({ step, from, through }) => [from, ...every(step, from, through)]),
      ),
      (minutes) => {
        const meant = timeFields(minutes).flatMap((fields) => {
          const [minute, hour] = fields.split(" ");
          return readTimes(minute, hour).minutes;
        });
        const byNumber = (a: number, b: number) => a - b;
        assertEquals(meant.toSorted(byNumber), [...new Set(minutes)].sort(byNumber));
      },
    ),
    { numRuns: 300 },
  ));

Deno.test("timeFields: as a person would write them", () => {
  const cases: readonly (readonly [minutes: number[], fields: string[]])[] = [
    [[615, 360, 360], ["0 6", "15 10"]],
    [[0, 480, 1439], ["0 0", "0 8", "59 23"]],
    [every(1), ["* *"]],
    [every(15), ["*/15 *"]],
    [every(120), ["0 */2"]],
    [every(30, 8 * 60, 17 * 60 + 59), ["0,30 8-17"]],
    [every(30, 8 * 60, 18 * 60), ["0 8-18", "30 8-17"]],
    [every(15, 8 * 60, 18 * 60), ["0 8-18", "15-59/15 8-17"]],
    [every(240, 8 * 60, 20 * 60), ["0 8-23/4"]],
    [[0, 60, 120, 300, 360, 420, 480], ["0 0-2,5-8"]],
    [[5, 65, 130, 190], ["5 0,1", "10 2,3"]],
  ];
  for (const [minutes, fields] of cases) assertEquals(timeFields(minutes), fields);
});
