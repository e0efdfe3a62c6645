/** The ways in which an upstream fails, and how pages and the API answer to them. */
import type { TestClock } from "../../lib/testing/mod.ts";
import { answering, type Behaviour, breakingOff, chunk, endless, slow } from "../upstream.ts";

/** A way to fail, and how a page and the API answer to it. */
export interface FaultCase {
  readonly name: string;
  /** What the service does; null is not even listening. */
  readonly behaviour: (clock: TestClock) => Behaviour | null;
  readonly status: number;
  /** What the page says. */
  readonly words: RegExp;
}

const unexpected = /The service sent an unexpected response/;
const unreachable = /The service can(?:&#39;|')t be reached/;
const late = /The service took too long/;

export const FAULTS: readonly FaultCase[] = [
  { name: "silent", behaviour: (clock) => slow(clock, 2500), status: 504, words: late },
  { name: "dripping", behaviour: (clock) => slow(clock, 5000, " "), status: 504, words: late },
  { name: "refusing connections", behaviour: () => null, status: 502, words: unreachable },
  {
    name: "hanging up amid an answer",
    behaviour: () => breakingOff(`{"fileSets":[{"id":"a"`),
    status: 502,
    words: unreachable,
  },
  {
    name: "answering 200 with HTML",
    behaviour: () =>
      answering(200, { "content-type": "text/html" }, "<!doctype html><h1>Log in, ann@example.com"),
    status: 502,
    words: unexpected,
  },
  {
    name: "answering without an end",
    behaviour: () => endless({ "transfer-encoding": "chunked" }, chunk(" ".repeat(65_536))),
    status: 502,
    words: unexpected,
  },
  {
    name: "answering 401",
    behaviour: () => answering(401),
    status: 401,
    words: /no longer signed in/,
  },
  {
    name: "answering 403",
    behaviour: () => answering(403),
    status: 403,
    words: /Access denied/,
  },
  {
    name: "answering 429 for a minute",
    behaviour: () => answering(429, { "retry-after": "60" }),
    status: 429,
    words: /service is busy.*Try again in 60 s\./s,
  },
  {
    name: "answering 500",
    behaviour: () => answering(500),
    status: 502,
    words: /The service failed/,
  },
];
