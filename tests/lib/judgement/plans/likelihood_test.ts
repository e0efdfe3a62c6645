import { assertEquals } from "@std/assert";
import { HOUR } from "../../../../lib/time_units.ts";
import { candidatesFor } from "../../../../lib/judgement/plans/candidates.ts";
import { fitTo, runBits, toStarts } from "../../../../lib/judgement/plans/likelihood.ts";
import { clockOf } from "../../../../lib/zone_clock.ts";

Deno.test("runBits: a run after missed ones is wrong, or one without a planned time", () => {
  // Daily at 06:00, but not on the second and third day; on the sixth also at noon.
  const hours = [6, 78, 102, 126, 132, 150, 174, 198];
  const starts = toStarts(Float64Array.from(hours, (hour) => Date.UTC(2026, 0, 5) + hour * HOUR));
  const zone = { clock: clockOf("UTC"), bits: 0 };
  const daily = candidatesFor(starts.times, zone)
    .find(({ cron }) => cron.join() === "0 6 * * *")!;
  const { bits, wrong } = runBits(fitTo(daily, starts), starts);
  assertEquals([...wrong], [0, 1, 0, 0, 1, 0, 0, 0]);
  assertEquals([...bits].map((each) => each > bits[2]), [...wrong].map(Boolean));
});
