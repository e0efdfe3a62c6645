/** A clock for tests: waiting takes no time. */
import { type Runtime, sleepWith } from "../client/transport/runtime.ts";

/** A clock that stands still until somebody waits, and then jumps. */
export interface TestClock {
  /** The option `runtime` of `createClient` and `createTestService`. */
  readonly runtime: Runtime;
  /** The length of every wait, in milliseconds, in order. */
  readonly waits: readonly number[];
  /** Number of timers and waits that are pending. */
  readonly pending: number;
  /** Moves the clock by milliseconds, and fires all timers that are due by then. */
  advance(ms: number): void;
}

interface Timer {
  readonly due: number;
  readonly callback: () => void;
  readonly isWait: boolean;
}

/**
 * Makes a clock that begins on 15 January 2026 at 12:00 UTC. If something waits and nothing else is
 * going on, the clock jumps to the first timer, which may be a timeout or the end of a wait. Timeouts
 * alone never move it. Its random number is always 0.5.
 *
 * @returns The clock, whose `runtime` a client and a test service can share.
 */
export function createTestClock(): TestClock {
  const timers = new Set<Timer>();
  const waits: number[] = [];
  let now = Date.UTC(2026, 0, 15, 12);
  let pumping = false;

  const add = (callback: () => void, ms: number, isWait: boolean) => {
    const timer = { due: now + Math.max(0, ms), callback, isWait };
    timers.add(timer);
    if (isWait && !pumping) void pump();
    return () => {
      timers.delete(timer);
    };
  };
  const fireUntil = (end: number) => {
    for (;;) {
      const next = earliest(timers);
      if (next === undefined || next.due > end) break;
      timers.delete(next);
      now = Math.max(now, next.due);
      next.callback();
    }
    now = Math.max(now, end);
  };
  const pump = async () => {
    pumping = true;
    while ([...timers].some(({ isWait }) => isWait)) {
      // Bodies are read in several turns of the event loop, which must end before any jump.
      for (let turn = 0; turn < 3; turn++) await new Promise((done) => setTimeout(done, 0));
      const next = earliest(timers);
      if (next && [...timers].some(({ isWait }) => isWait)) fireUntil(next.due);
    }
    pumping = false;
  };

  return {
    runtime: {
      now: () => now,
      random: () => 0.5,
      setTimer: (callback, ms) => add(callback, ms, false),
      sleep: (ms, signal) => {
        waits.push(ms);
        return sleepWith((callback, ms) => add(callback, ms, true), ms, signal);
      },
    },
    waits,
    get pending() {
      return timers.size;
    },
    advance: (ms) => fireUntil(now + ms),
  };
}

function earliest(timers: Iterable<Timer>): Timer | undefined {
  return [...timers].sort((a, b) => a.due - b.due)[0];
}
