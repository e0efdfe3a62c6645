/**
 * A year of a hundred schedules with planted faults, watched by the observer's own code with
 * simulated clocks, in two processes with half of the schedules each. A wrong report stops the
 * benchmark.
 */
import { assert } from "@std/assert";
import type { PlantedFault, YearResult } from "../tests/server/observer/year.ts";
import { every } from "../tests/server/observer/world.ts";
import { type Bench, type Figure, median } from "./bench.ts";

const MINUTE = 60_000;
const SCHEDULES = 100;
const DAYS = 365;
const GRACE_MINUTES = 20;

const bench: Bench = async (share) => {
  const half = Math.ceil(SCHEDULES * share / 2);
  const started = performance.now();
  const parts = await Promise.all([1, 1 + half].map((first) => watchPart(half, first)));
  const minutes = (performance.now() - started) / MINUTE;
  const of = <Item>(list: (part: YearResult) => readonly Item[]) => parts.flatMap(list);
  const faults = of((part) => part.faults);
  const untold = faults.filter(({ told }) => told === null);
  const [invented, repeated] = [of((part) => part.invented), of((part) => part.repeated)];
  assert(faults.length > 0, "No fault was planted");
  assert(untold.length === 0, `${untold.length} not told: ${untold.map(nameOf)[0]}`);
  assert(invented.length === 0, `${invented.length} told without a fault: ${invented[0]}`);
  assert(repeated.length === 0, `${repeated.length} told twice: ${repeated[0]}`);
  const looks = parts.reduce((sum, part) => sum + part.looks, 0);
  return [
    {
      what: `${DAYS} days of ${
        2 * half
      } schedules by simulated clocks, ${looks} looks, two processes`,
      measured: `${minutes.toFixed(1)} min`,
      baseline: `${DAYS} days`,
      ratio: minutes / (DAYS * 24 * 60),
    },
    ...Object.entries(Object.groupBy(faults, ({ code }) => code))
      .map(([code, told]) => figureOf(code, told)),
  ];
};
export default bench;

async function watchPart(schedules: number, first: number): Promise<YearResult> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--quiet",
      "--no-check",
      "--config=bench/deno.json",
      "bench/observer/year_part.ts",
      ...[schedules, DAYS, first].map(String),
    ],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

function figureOf(code: string, told: readonly PlantedFault[]): Figure {
  const minutes = told.map((fault) => (fault.told! - fault.knowable) / MINUTE);
  const mean = minutes.reduce((sum, each) => sum + each, 0) / minutes.length;
  const since = code === "overdue"
    ? `due time, its grace of ${GRACE_MINUTES} min or an inferred one included`
    : "end of its run";
  const allowed = (code === "overdue" ? GRACE_MINUTES : 0) + (every + 1000) / MINUTE;
  return {
    what: `${told.length} times ${code}, each told once, none invented; from the ${since}`,
    measured: `mean ${mean.toFixed(1)} min, middle ${median(minutes).toFixed(1)} min, ` +
      `worst ${Math.max(...minutes).toFixed(1)} min`,
    baseline: `${allowed.toFixed(1)} min`,
    ratio: mean / allowed,
  };
}

function nameOf({ code, scheduleId, knowable }: PlantedFault): string {
  return `${code} of ${scheduleId} at ${new Date(knowable).toISOString()}`;
}
