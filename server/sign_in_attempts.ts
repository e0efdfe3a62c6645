/** A bound for those who guess: failed attempts to sign in, for each client and in all. */
import { ProblemError } from "./problem.ts";

/** How long failures are remembered. */
export const SIGN_IN_WINDOW_MS = 10 * 60 * 1000;

/** The most failures of one client. */
export const CLIENT_FAILURES = 10;

/** The most failures of all clients together: many addresses help only so much. */
export const ALL_FAILURES = 200;

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
 * There are never more clients to remember than failures are allowed. `now` is in milliseconds.
 */
export function createSignInAttempts(now: () => number = Date.now): SignInAttempts {
  let endsAt = 0;
  let inAll = 0;
  const byClient = new Map<string, number>();

  function add(client: string, count: number): void {
    const failures = (byClient.get(client) ?? 0) + count;
    if (failures > 0) byClient.set(client, failures);
    else byClient.delete(client);
    inAll += count;
  }

  return {
    async attempt(client, check) {
      if (now() >= endsAt || inAll === 0) {
        endsAt = now() + SIGN_IN_WINDOW_MS;
        inAll = 0;
        byClient.clear();
      }
      if (inAll >= ALL_FAILURES || (byClient.get(client) ?? 0) >= CLIENT_FAILURES) {
        throw tooMany(endsAt - now());
      }
      // Counted before it is checked, so that many attempts at once are not all let through.
      add(client, 1);
      const window = endsAt;
      let isFailure = false;
      try {
        const gain = await check();
        isFailure = gain === null;
        return gain;
      } finally {
        if (!isFailure && window === endsAt) add(client, -1);
      }
    },
  };
}

function tooMany(ms: number): ProblemError {
  const minutes = Math.ceil(ms / 60_000);
  return new ProblemError(
    429,
    "There were too many failed attempts to sign in; " +
      `try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}`,
    { retryAfterSeconds: Math.ceil(ms / 1000) },
  );
}
