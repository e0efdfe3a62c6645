/**
 * What the observer holds: rounds of 10,000 watches, the time from a fault to its delivery, requests
 * spent, and simulated weeks of a hundred schedules with planted faults. Times are published beside
 * what is allowed; what was told wrongly ends the benchmark.
 */
import { type PlantedFault, simulate } from "../tests/server/observer/year.ts";
import { every } from "../tests/server/observer/world.ts";
import { type Bench, type Figure, median } from "./bench.ts";
import { measureDelays } from "./observer/delays.ts";
import { measureRounds } from "./observer/round.ts";
import { requestsPerDay } from "./observer/spending.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const WATCHES = 10_000;
const ROUND_SECONDS = 60;
const MOST_IN_FLIGHT = 8;
const DELAYED = 1000;
const SPENDING_DAYS = 1;
const YEAR = { schedules: 100, days: 365 };
/** The simulated days take what is left of this time, and at least and at most so much of it. */
const WHOLE_MS = 340 * SECOND;
const LEAST_YEAR_MS = 90 * SECOND;
const MOST_YEAR_MS = 180 * SECOND;

const bench: Bench = async (share) => {
  const started = performance.now();
  const sized = (whole: number) => Math.ceil(whole * share);
  const figures = [
    ...await roundFigures(sized(WATCHES)),
    ...await delayFigures(sized(DELAYED)),
    ...await spendingFigures(),
  ];
  const left = WHOLE_MS - (performance.now() - started);
  const mostMs = share * Math.min(MOST_YEAR_MS, Math.max(LEAST_YEAR_MS, left));
  return [...figures, ...await yearFigures(sized(YEAR.schedules), mostMs)];
};
export default bench;

async function roundFigures(watches: number): Promise<Figure[]> {
  const rounds = await measureRounds(watches);
  for (const { what, looks, failedLooks, incidents, mostInFlight } of rounds) {
    hold(looks >= watches, `${what}: ${looks} looks at ${watches} watches`);
    hold(failedLooks === 0, `${what}: ${failedLooks} looks failed`);
    hold(incidents === 0, `${what}: ${incidents} incidents without a fault`);
    hold(mostInFlight <= MOST_IN_FLIGHT, `${what}: ${mostInFlight} requests in flight`);
  }
  return rounds.map(({ what, seconds, looks, requests, mostInFlight }) => ({
    what: `a round of ${watches} watches, an upstream of 5 ms: ${what}`,
    measured: `${seconds.toFixed(1)} s for ${looks} looks, ${requests} requests, ` +
      `at most ${mostInFlight} in flight`,
    baseline: `${ROUND_SECONDS} s, ${MOST_IN_FLIGHT} in flight allowed`,
    ratio: seconds / ROUND_SECONDS,
  }));
}

async function delayFigures(schedules: number): Promise<Figure[]> {
  const { overdue, failing, wrong } = await measureDelays(schedules);
  hold(wrong.length === 0, `of ${schedules} schedules ${wrong.length} wrong: ${wrong[0]}`);
  const allowed = every + SECOND;
  return [["due plus grace", overdue], ["the end of a failed run", failing]].map(
    ([since, delays]) => {
      const times = delays as readonly number[];
      const [p50, p99, worst] = [0.5, 0.99, 1].map((part) =>
        times[Math.min(times.length - 1, Math.floor(times.length * part))]
      );
      return {
        what: `from ${since} to the delivery, ${times.length} schedules, simulated clocks`,
        measured: `p50 ${seconds(p50)}, p99 ${seconds(p99)}, worst ${seconds(worst)}`,
        baseline: `${seconds(allowed)} allowed`,
        ratio: worst / allowed,
      };
    },
  );
}

async function spendingFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const isConfirmed of [true, false]) {
    const how = { isConfirmed, days: SPENDING_DAYS };
    const daily = await requestsPerDay(24 * HOUR, (minute) => `${minute} 0 * * *`, how);
    const hourly = await requestsPerDay(HOUR, (minute) => `${minute} * * * *`, how);
    for (const [rhythm, spent] of [["daily", daily], ["hourly", hourly]] as const) {
      figures.push({
        what: `requests for a ${rhythm} schedule in a day, ` +
          `plan ${isConfirmed ? "confirmed" : "inferred"}`,
        measured: spent.toFixed(1),
        baseline: "1440, one each minute",
        ratio: spent / 1440,
      });
    }
  }
  return figures;
}

async function yearFigures(schedules: number, mostMs: number): Promise<Figure[]> {
  const { days } = YEAR;
  const result = await simulate(schedules, days, mostMs);
  const { faults, invented, repeated, looks } = result;
  const untold = faults.filter(({ told }) => told === null);
  const name = ({ code, scheduleId, knowable }: PlantedFault) =>
    `${code} of ${scheduleId} at ${new Date(knowable).toISOString()}`;
  hold(faults.length > 0, "No fault was planted in the days that were simulated");
  hold(untold.length === 0, `${untold.length} not told: ${untold.map(name)[0]}`);
  hold(invented.length === 0, `${invented.length} told without a fault: ${invented[0]}`);
  hold(repeated.length === 0, `${repeated.length} told twice: ${repeated[0]}`);
  return Object.entries(Object.groupBy(faults, ({ code }) => code)).map(([code, told]) => {
    const minutes = told.map((fault) => (fault.told! - fault.knowable) / MINUTE);
    const mean = minutes.reduce((sum, each) => sum + each, 0) / minutes.length;
    const since = code === "overdue"
      ? "due time, its grace of 20 min or an inferred one included"
      : "end of its run";
    const allowed = (code === "overdue" ? 20 : 0) + (every + SECOND) / MINUTE;
    return {
      what: `${result.days} of ${days} days of ${schedules} schedules, ${looks} looks: ` +
        `${told.length} times ${code}, each told once, none invented; from the ${since}`,
      measured: `mean ${mean.toFixed(1)} min, middle ${median(minutes).toFixed(1)} min, ` +
        `worst ${Math.max(...minutes).toFixed(1)} min`,
      baseline: `${allowed.toFixed(1)} min`,
      ratio: mean / allowed,
    };
  });
}

function seconds(ms: number): string {
  return `${(ms / SECOND).toFixed(1)} s`;
}

function hold(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new Error(otherwise);
}
