/** Limits on guessing: how many attempts of a client may fail. */
import { LRUCache } from "lru-cache";
import { ProblemError } from "../http/problem.ts";

/** How long a client's failures are remembered, from the first one on. */
export const WINDOW_MS = 10 * 60 * 1000;

/** The most failures of a client in its window, counting attempts in progress. */
export const MAX_FAILURES = 10;

/** The most clients whose failures are remembered, at some 100 bytes each. */
export const MAX_CLIENTS = 10_000;

interface Failures {
  readonly count: number;
  readonly endsAt: number;
}

export type Attempts = ReturnType<typeof createAttempts>;

/** Attempts, counted in this process only; `noun` is their name in messages, in the plural. */
export function createAttempts(noun: string, now: () => number = Date.now) {
  const failed = new LRUCache<string, Failures>({ max: MAX_CLIENTS });
  const running = new Map<string, Map<unknown, number>>();

  function failuresOf(client: string): Failures {
    const known = failed.get(client);
    return known && now() < known.endsAt ? known : { count: 0, endsAt: now() + WINDOW_MS };
  }

  function countFailure(client: string): void {
    const { count, endsAt } = failuresOf(client);
    failed.set(client, { count: count + 1, endsAt });
  }

  function countRunning(client: string, guess: unknown, change: 1 | -1): void {
    const guesses = running.get(client) ?? new Map<unknown, number>();
    const count = (guesses.get(guess) ?? 0) + change;
    if (count > 0) guesses.set(guess, count);
    else guesses.delete(guess);
    if (guesses.size > 0) running.set(client, guesses);
    else running.delete(client);
  }

  return {
    /**
     * Makes an attempt. It is a failure if `check` returns null; an error of `check` does not count.
     * Attempts at the same `guess` in progress are one.
     *
     * @throws {ProblemError} Without calling `check`, when the client failed too often, or would if all
     * its attempts in progress failed.
     */
    async attempt<Result>(client: string, check: () => Promise<Result | null>, guess?: string) {
      const { count, endsAt } = failuresOf(client);
      if (count >= MAX_FAILURES) throw tooManyFailures(noun, endsAt - now());
      const key = guess ?? Symbol();
      const guesses = running.get(client);
      const others = (guesses?.size ?? 0) - (guesses?.has(key) ? 1 : 0);
      if (count + others >= MAX_FAILURES) throw tooManyAtOnce(noun);
      countRunning(client, key, 1);
      try {
        const result = await check();
        if (result === null) countFailure(client);
        return result;
      } finally {
        countRunning(client, key, -1);
      }
    },
  };
}

function tooManyFailures(noun: string, ms: number): ProblemError {
  const minutes = Math.ceil(ms / 60_000);
  return new ProblemError(
    429,
    `Too many failed ${noun}; ` +
      `try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}`,
    { retryAfterSeconds: Math.ceil(ms / 1000) },
  );
}

function tooManyAtOnce(noun: string): ProblemError {
  const retryAfterSeconds = 5;
  return new ProblemError(
    429,
    `Too many ${noun} at once; try again in ${retryAfterSeconds} seconds`,
    { retryAfterSeconds },
  );
}

const MAX_ACCEPTED = 10_000;

export type TokenGuard = ReturnType<typeof createTokenGuard>;

/** A guard that counts in this process only. `now` is in milliseconds. */
export function createTokenGuard(now: () => number = Date.now) {
  const attempts = createAttempts("requests with unknown tokens", now);
  const accepted = new LRUCache<string, true>({ max: MAX_ACCEPTED });

  return {
    /**
     * Makes a call with a client's token. If the response rejects the token, that counts as a failed
     * attempt of the client. Its failures do not hold up a token that was accepted from it before.
     *
     * @throws {ProblemError} Without making the call, when the client failed too often.
     */
    async watch(client: string, token: string, call: () => Promise<Response>): Promise<Response> {
      const key = `${client} ${token}`;
      if (accepted.get(key)) {
        const response = await call();
        if (isRejected(response)) accepted.delete(key);
        return response;
      }
      let response!: Response;
      await attempts.attempt(client, async () => {
        response = await call();
        return isRejected(response) ? null : response;
      }, token);
      if (response.ok) accepted.set(key, true);
      return response;
    },
  };
}

/** A token that could not be checked, because the service is down, is not rejected. */
function isRejected({ status }: Response): boolean {
  return status === 401 || status === 403;
}
