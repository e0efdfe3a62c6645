import { RateLimiterMemory } from "rate-limiter-flexible";
import type { RateLimiterAbstract, RateLimiterRes } from "rate-limiter-flexible";
import { ProblemError } from "../http/problem.ts";

/** Takes one use of a key, or throws the problem that says when the next is free. */
export type Limit = (key: string) => Promise<void>;

export function limitInMemory(perMinute: number): Limit {
  return limitBy(new RateLimiterMemory({ points: perMinute, duration: 60 }));
}

export function limitBy(limiter: RateLimiterAbstract): Limit {
  return async (key) => {
    try {
      await limiter.consume(key);
    } catch (error) {
      if (!isExceeded(error)) throw error;
      const retryAfterSeconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      throw new ProblemError(
        429,
        `This token may send ${limiter.points} requests a minute; try again in ${retryAfterSeconds} s`,
        { retryAfterSeconds },
      );
    }
  };
}

// The library throws its result when the limit is exceeded, and an error when it could not tell.
function isExceeded(error: unknown): error is RateLimiterRes {
  return !(error instanceof Error) && typeof error === "object" && error !== null &&
    "msBeforeNext" in error;
}
