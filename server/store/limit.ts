import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  type RateLimiterRes,
} from "rate-limiter-flexible";
import { ProblemError } from "../http/problem.ts";

/** Counts a use of a key. @throws {ProblemError} After more than `perMinute` uses in a minute. */
export type CountUse = (key: string, perMinute: number) => Promise<void>;

export function countInMemory(): CountUse {
  return countWith((perMinute) => new RateLimiterMemory({ points: perMinute, duration: 60 }));
}

export function countWith(makeLimiter: (perMinute: number) => RateLimiterAbstract): CountUse {
  let limiter: RateLimiterAbstract | undefined;
  return async (key, perMinute) => {
    limiter ??= makeLimiter(perMinute);
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

// The library throws its result if the limit is exceeded, and an error if it could not count.
function isExceeded(error: unknown): error is RateLimiterRes {
  return !(error instanceof Error) && typeof error === "object" && error !== null &&
    "msBeforeNext" in error;
}
