/** A limit on guessing: how often a client may fail to sign in. */
import { ProblemError } from "../http/problem.ts";

/** How long a client's failures are remembered, from the first one on. */
export const SIGN_IN_WINDOW_MS = 10 * 60 * 1000;

/** The most failures of a client in its window, counting attempts in progress. */
export const MAX_FAILURES = 10;

/** The most clients whose failures are remembered, at some 100 bytes each. */
export const MAX_CLIENTS = 10_000;

/** Attempts to sign in. */
export interface SignInAttempts {
  /**
   * Makes an attempt. It is a failure if `check` returns null; an error of `check` does not count.
   *
   * @param client Where the attempt comes from.
   * @param check Returns what a successful attempt yields, or null.
   * @returns The result of `check`.
   * @throws {ProblemError} Without calling `check`, when the client failed too often, or would if all
   * its attempts in progress failed.
   */
  attempt<Result>(client: string, check: () => Promise<Result | null>): Promise<Result | null>;
}

/** A client's failures, and when they expire. */
interface Failures {
  readonly count: number;
  readonly endsAt: number;
}

/** Attempts, counted in this process only. `now` is in milliseconds. */
export function createSignInAttempts(now: () => number = Date.now): SignInAttempts {
  // Maps keep insertion order, and all windows have the same length: the first expires first.
  const failed = new Map<string, Failures>();
  const running = new Map<string, number>();

  function failuresOf(client: string): Failures {
    for (const [other, { endsAt }] of failed) {
      if (now() < endsAt) break;
      failed.delete(other);
    }
    return failed.get(client) ?? { count: 0, endsAt: now() + SIGN_IN_WINDOW_MS };
  }

  function countFailure(client: string): void {
    const { count, endsAt } = failuresOf(client);
    if (count === 0 && failed.size === MAX_CLIENTS) failed.delete(failed.keys().next().value!);
    failed.set(client, { count: count + 1, endsAt });
  }

  function countRunning(client: string, change: 1 | -1): void {
    const count = (running.get(client) ?? 0) + change;
    if (count > 0) running.set(client, count);
    else running.delete(client);
  }

  return {
    async attempt(client, check) {
      const { count, endsAt } = failuresOf(client);
      if (count >= MAX_FAILURES) throw tooManyFailures(endsAt - now());
      if (count + (running.get(client) ?? 0) >= MAX_FAILURES) throw tooManyAtOnce();
      countRunning(client, 1);
      try {
        const result = await check();
        if (result === null) countFailure(client);
        return result;
      } finally {
        countRunning(client, -1);
      }
    },
  };
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
