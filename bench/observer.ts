/**
 * The observer's capacity: rounds of 10,000 watches, their overview, the time from a fault to its
 * delivery, and requests spent. Times are published with their bounds; a wrong report stops the benchmark.
 */
import { assert } from "@std/assert";
import { every } from "../tests/server/observer/world.ts";
import type { Bench, Figure } from "./bench.ts";
import { measureDelays } from "./observer/delays.ts";
import { measureRounds } from "./observer/round.ts";
import { requestsPerDay } from "./observer/spending.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const WATCHES = 10_000;
const ROUND_SECONDS = 60;
const MOST_IN_FLIGHT = 8;
const OVERVIEW_MS = 100;
const DELAYED = 1000;
const SPENDING_DAYS = 1;

const bench: Bench = async (share) => {
  const sized = (whole: number) => Math.ceil(whole * share);
  return [
    ...await roundFigures(sized(WATCHES)),
    ...await delayFigures(sized(DELAYED)),
    ...await spendingFigures(),
  ];
};
export default bench;

async function roundFigures(watches: number): Promise<Figure[]> {
  const { rounds, overview, overviewRequests } = await measureRounds(watches);
  for (const { what, looks, failedLooks, incidents, mostInFlight } of rounds) {
    assert(looks >= watches, `${what}: ${looks} looks at ${watches} watches`);
    assert(failedLooks === 0, `${what}: ${failedLooks} looks failed`);
    assert(incidents === 0, `${what}: ${incidents} incidents without a fault`);
    assert(mostInFlight <= MOST_IN_FLIGHT, `${what}: ${mostInFlight} requests in flight`);
  }
  assert(overviewRequests === 0, `the overview sent ${overviewRequests} requests to the service`);
  const figures = rounds.map(({ what, seconds, looks, requests, mostInFlight }) => ({
    what: `a round of ${watches} watches, an upstream of 5 ms: ${what}`,
    measured: `${seconds.toFixed(1)} s for ${looks} looks, ${requests} requests, ` +
      `at most ${mostInFlight} in flight`,
    baseline: `${ROUND_SECONDS} s, ${MOST_IN_FLIGHT} in flight allowed`,
    ratio: seconds / ROUND_SECONDS,
  }));
  const p95 = overview[Math.floor(overview.length * 0.95)];
  return [...figures, {
    what: `the overview of ${watches} watches, p95 of ${overview.length} requests`,
    measured: `${p95.toFixed(0)} ms`,
    baseline: `${OVERVIEW_MS} ms`,
    ratio: p95 / OVERVIEW_MS,
    target: "≤ 1",
  }];
}

async function delayFigures(schedules: number): Promise<Figure[]> {
  const { overdue, failing, wrong } = await measureDelays(schedules);
  assert(wrong.length === 0, `of ${schedules} schedules ${wrong.length} wrong: ${wrong[0]}`);
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

function seconds(ms: number): string {
  return `${(ms / SECOND).toFixed(1)} s`;
}
