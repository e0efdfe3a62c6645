/**
 * The core of the client's promises, checked by nothing but web standards, so that they run in a
 * browser. The npm package is tried in Node and Bun.
 */

import { createClient, isDocketError } from "../../../lib/mod.ts";
import {
  createTestClock,
  createTestService,
  type Fault,
  makeFileSets,
  makeRuns,
  type TestServiceOptions,
} from "../../../lib/testing/mod.ts";

const TOKEN = "core-token-0815";

function setUp(options: TestServiceOptions) {
  const clock = createTestClock();
  const service = createTestService({ runtime: clock.runtime, token: TOKEN, ...options });
  const client = createClient({
    baseUrl: "https://service.example/base",
    token: TOKEN,
    fetch: service.fetch,
    runtime: clock.runtime,
  });
  return { client, clock, service };
}

function same(actual: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (one !== other) throw new Error(`Expected ${other}, but got ${one}`);
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** One promise, and how to check it: it throws when it is broken. */
export interface CoreCheck {
  /** The promise. */
  readonly name: string;
  /** Checks it. */
  check(): Promise<void>;
}

/** Every check, each independent of the others. */
export const coreChecks: readonly CoreCheck[] = [
  {
    name: "a page, every row, and every run",
    async check() {
      const fileSets = makeFileSets(250);
      const runs = makeRuns(120);
      const { client } = setUp({ fileSets, runs: { 101: runs } });
      same((await client.fileSets.search({}, { limit: 3 })).fileSets, fileSets.slice(0, 3));
      same(await collect(client.fileSets.search()), fileSets);
      same(await collect(client.reportSchedules.history(101).walk({ prefetch: 3 })), runs);
    },
  },
  {
    name: "faults are overcome, in the headers and in the body",
    async check() {
      const faults: Fault[] = [
        { kind: "reset", at: "headers" },
        { kind: "reset", at: "body" },
        { kind: "stall", at: "headers" },
        { kind: "stall", at: "body" },
        { kind: "truncated" },
        { kind: "status", status: 429, retryAfter: "30" },
        { kind: "status", status: 503 },
      ];
      for (const fault of faults) {
        const { client, clock, service } = setUp({ fileSets: makeFileSets(5), faults: [fault] });
        same((await collect(client.fileSets.search())).length, 5);
        same([service.requests.length, clock.pending], [2, 0]);
      }
    },
  },
  {
    name: "an abort is distinguished from a timeout, and leaves nothing behind",
    async check() {
      const faults = () => ({ kind: "stall", at: "body" }) as const;
      const { client, clock } = setUp({ fileSets: makeFileSets(5), faults });
      const controller = new AbortController();
      clock.runtime.setTimer(() => controller.abort(), 100);
      const { signal } = controller;
      const kindOf = (error: unknown) => isDocketError(error) ? error.kind : String(error);
      same(await client.fileSets.search({}, { signal }).catch(kindOf), "abort");
      same(await client.fileSets.search().catch(kindOf), "timeout");
      same(clock.pending, 0);
    },
  },
  {
    name: "an error never holds the token",
    async check() {
      const { client } = setUp({
        faults: () => ({ kind: "status", status: 400, body: `you sent ${TOKEN}` }),
      });
      const error = await client.fileSets.search().catch((error: unknown) => error);
      if (!isDocketError(error) || error.kind !== "http") throw error;
      same(error.excerpt, "you sent [redacted]");
      same(`${error.stack} ${JSON.stringify(error)}`.includes(TOKEN), false);
    },
  },
];
