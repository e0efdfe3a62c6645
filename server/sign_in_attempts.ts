/** A bound for those who guess: failed attempts to sign in, for each client and in all. */
import { ProblemError } from "./problem.ts";

/** How long failures are remembered. */
export const SIGN_IN_WINDOW_MS = 10 * 60 * 1000;

/** The most failures of one client, and of all together: many addresses help only so much. */
export const FAILURES = { ofClient: 10, inAll: 200 } as const;

/** The most attempts at once: whoever sends more does not wait to see whether one fails. */
export const AT_ONCE = { ofClient: 30, inAll: 200 } as const;

/** Attempts to sign in. */
export interface SignInAttempts {
  /**
   * Makes an attempt. Only one that `check` answers with null counts: neither a success, nor one that
   * could not be judged.
   *
   * @param client Where the attempt comes from.
   * @param check What a right attempt gains, or null for a wrong one.
   * @returns The result of `check`.
   * @throws {ProblemError} When there were too many failures, without asking `check`.
   */
  attempt<Gain>(client: string, check: () => Promise<Gain | null>): Promise<Gain | null>;
}

/**
 * Attempts that are counted in this process alone, from the first failure on until the window ends.
 * No more clients are remembered than the bounds in all allow. `now` is in milliseconds.
 */
export function createSignInAttempts(now: () => number = Date.now): SignInAttempts {
  const failed = createTally();
  const running = createTally();
  let endsAt = 0;

  return {
    async attempt(client, check) {
      if (now() >= endsAt || failed.total() === 0) {
        failed.clear();
        endsAt = now() + SIGN_IN_WINDOW_MS;
      }
      if (isFull(failed, client, FAILURES)) throw tooManyFailures(endsAt - now());
      if (isFull(running, client, AT_ONCE)) throw tooManyAtOnce();
      running.add(client, 1);
      try {
        const gain = await check();
        if (gain === null) failed.add(client, 1);
        return gain;
      } finally {
        running.add(client, -1);
      }
    },
  };
}

/** Counts by client. */
interface Tally {
  of(client: string): number;
  total(): number;
  add(client: string, count: number): void;
  clear(): void;
}

function createTally(): Tally {
  const counts = new Map<string, number>();
  let total = 0;
  const of = (client: string) => counts.get(client) ?? 0;
  return {
    of,
    total: () => total,
    add(client, count) {
      total += count;
      if (of(client) + count > 0) counts.set(client, of(client) + count);
      else counts.delete(client);
    },
    clear() {
      total = 0;
      counts.clear();
    },
  };
}

function isFull(
  tally: Tally,
  client: string,
  most: { readonly ofClient: number; readonly inAll: number },
): boolean {
  return tally.of(client) >= most.ofClient || tally.total() >= most.inAll;
}

function tooManyFailures(ms: number): ProblemError {
  const minutes = Math.ceil(ms / 60_000);
  return new ProblemError(
    429,
    "There were too many failed attempts to sign in; " +
      `try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}`,
    { retryAfterSeconds: Math.ceil(ms / 1000) },
  );
}

function tooManyAtOnce(): ProblemError {
  const retryAfterSeconds = 5;
  return new ProblemError(
    429,
    `Too many attempts to sign in at once; try again in ${retryAfterSeconds} seconds`,
    { retryAfterSeconds },
  );
}
