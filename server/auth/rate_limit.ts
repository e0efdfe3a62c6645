/** Limits how many requests each token may make in a minute. */
import { systemRuntime } from "../../lib/client/transport/runtime.ts";
import { MINUTE } from "../../lib/time_units.ts";
import { ProblemError } from "../http/problem.ts";

/** A function that counts a request, in this process only; null for no limit. */
export function createRateLimit(perMinute: number | null, now: () => number = systemRuntime().now) {
  let counts = new Map<string, number>();
  let ends = 0;
  /** @throws {ProblemError} After more than `perMinute` requests with a token in a minute. */
  return (token: string): void => {
    if (perMinute === null) return;
    if (now() >= ends) [counts, ends] = [new Map(), now() + MINUTE];
    const requests = (counts.get(token) ?? 0) + 1;
    counts.set(token, requests);
    if (requests <= perMinute) return;
    const retryAfterSeconds = Math.max(1, Math.ceil((ends - now()) / 1000));
    const detail = `This token may send ${perMinute} requests a minute; try again in ` +
      `${retryAfterSeconds} s`;
    throw new ProblemError(429, detail, { retryAfterSeconds });
  };
}
