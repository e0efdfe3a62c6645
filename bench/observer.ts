/**
 * The observer: the duration of rounds with 2,000 watches, and the page Today about them. A wrong
 * report ends the benchmark with an error.
 */
import { assert } from "@std/assert";
import { atMost, type Bench, milliseconds, quantile, seconds } from "./bench.ts";
import { measureRounds } from "./observer/round.ts";

const WATCHES = 2000;
const ROUND_SECONDS = 60;
const MAX_IN_FLIGHT = 8;
const TODAY_MS = 150;

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
  return [
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
