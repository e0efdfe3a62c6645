/** Limits how many attempts of a client may fail, so that nobody can guess tokens or codes. */
import { LRUCache } from "lru-cache";
import { systemRuntime } from "../../lib/client/transport/runtime.ts";
import { formatDuration } from "../../lib/format.ts";
import { ProblemError } from "../http/problem.ts";

/** How long a client's failures are remembered, from the first one on. */
const WINDOW_MS = 10 * 60 * 1000;
/** The most failures of a client in its window, counting attempts in progress. */
const MAX_FAILURES = 10;
/** The most clients whose failures are remembered, at some 100 bytes each. */
const MAX_CLIENTS = 10_000;
const PAUSE_MS = 5000;

interface Client {
  failures: number;
  /** When its failures are forgotten. */
  endsAt: number;
  readonly guesses: unknown[];
}

type Attempts = ReturnType<typeof createAttempts>;

/** Attempts, counted in this process only; `noun` is their name in messages, in the plural. */
export function createAttempts(noun: string, now: () => number = systemRuntime().now) {
  const clients = new LRUCache<string, Client>({ max: MAX_CLIENTS });

  return {
    /**
     * Makes an attempt, which fails if `check` returns null. Concurrent ones with the same `guess`
     * count as one.
     * @throws {ProblemError} Without calling `check`, when too many attempts failed or are in progress.
     */
    async attempt<Result>(
      name: string,
      check: () => Promise<Result | null>,
      guess: unknown = Symbol(),
    ): Promise<Result | null> {
      const client = clients.get(name) ?? { failures: 0, endsAt: 0, guesses: [] };
      clients.set(name, client);
      const { guesses } = client;
      if (now() >= client.endsAt) client.failures = 0;
      if (client.failures >= MAX_FAILURES) {
        throw tooMany(`failed ${noun}`, client.endsAt - now());
      }
      const otherGuesses = new Set(guesses.filter((each) => each !== guess));
      if (client.failures + otherGuesses.size >= MAX_FAILURES) {
        throw tooMany(`${noun} at once`, PAUSE_MS);
      }
      guesses.push(guess);
      try {
        const result = await check();
        if (result === null && client.failures++ === 0) client.endsAt = now() + WINDOW_MS;
        return result;
      } finally {
        guesses.splice(guesses.indexOf(guess), 1);
      }
    },
  };
}

function tooMany(nouns: string, ms: number): ProblemError {
  return new ProblemError(429, `Too many ${nouns}; try again in ${formatDuration(ms)}`, {
    retryAfterSeconds: Math.ceil(ms / 1000),
  });
}

const MAX_ACCEPTED = 10_000;

export type TokenGuard = ReturnType<typeof createTokenGuard>;

/** Limits requests with unknown tokens; counts in this process only. `now` is in milliseconds. */
export function createTokenGuard(now: () => number = systemRuntime().now) {
  const attempts = createAttempts("requests with unknown tokens", now);
  const accepted = new LRUCache<string, true>({ max: MAX_ACCEPTED });

  return {
    /**
     * Makes a call with a client's token. If the response rejects it, that is a failed attempt of the
     * client. A token that was accepted from the client before is never refused.
     */
    async check(client: string, token: string, call: () => Promise<Response>): Promise<Response> {
      const key = `${client} ${token}`;
      if (accepted.get(key)) {
        const response = await call();
        if (response.status === 401) accepted.delete(key);
        return response;
      }
      let response!: Response;
      await attempts.attempt(client, async () => {
        response = await call();
        return response.status === 401 ? null : response;
      }, token);
      if (response.ok) accepted.set(key, true);
      return response;
    },
  };
}
