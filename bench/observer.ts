/**
 * The observer: the duration of rounds with 10,000 watches, the page Today about them, and a day of
 * 20,000 schedules by virtual clocks. A wrong report ends the benchmark with an error.
 */
import { assert } from "@std/assert";
import { atMost, type Bench, milliseconds, quantile, seconds } from "./bench.ts";
import { measureDay } from "./observer/day.ts";
import { measureRounds } from "./observer/round.ts";

const WATCHES = 10_000;
const ROUND_SECONDS = 60;
const MAX_IN_FLIGHT = 8;
const TODAY_MS = 150;
const DAY_SCHEDULES = 20_000;
/** The CPU time that an instance has in a day. */
const DAY_SECONDS = 86_400;

const bench: Bench = async (share) => {
  const watches = Math.ceil(WATCHES * share);
  const { rounds, today, todayRequests } = await measureRounds(watches);
  for (const { what, polls, failedPolls, incidents, mostInFlight } of rounds) {
    assert(polls >= watches, `${what}: ${polls} polls of ${watches} watches`);
    assert(failedPolls === 0, `${what}: ${failedPolls} polls failed`);
    assert(incidents === 0, `${what}: ${incidents} incidents without a fault`);
    assert(mostInFlight <= MAX_IN_FLIGHT, `${what}: ${mostInFlight} requests in flight`);
  }
  assert(todayRequests === 0, `today's page sent ${todayRequests} requests to the service`);
  const slowest = rounds.reduce((a, b) => b.seconds > a.seconds ? b : a);
  const schedules = Math.ceil(DAY_SCHEDULES * share);
  const days = [];
  for (const instances of [1, 2]) {
    const day = await measureDay(schedules, instances);
    assert(day.incidents === 0, `a day: ${day.incidents} incidents without a fault`);
    days.push(atMost(
      `CPU of a day of ${schedules} schedules, ${instances} instances, virtual clocks: ${day.polls} ` +
        `polls, ${day.requests} requests, ${day.busiestMinute} polls in the busiest minute, ` +
        `${Math.round(day.databaseBytes / schedules)} bytes of database a schedule`,
      day.cpuSeconds,
      DAY_SECONDS,
      seconds,
    ));
  }
  return [
    ...days,
    atMost(
      `a round of ${watches} watches, at most ${MAX_IN_FLIGHT} requests of 5 ms in flight; the ` +
        `slowest of ${rounds.length}: ${slowest.what}`,
      slowest.seconds,
      ROUND_SECONDS,
      seconds,
    ),
    atMost(
      `p95 of today's page with ${watches} watches`,
      quantile(today, 0.95),
      TODAY_MS,
      milliseconds,
    ),
  ];
};

export default bench;
