/**
 * A program: an upstream service that sometimes fails. The faults come from a fixed seed, so that each
 * soak meets the same ones.
 */
import { createTestService, type Fault, makeFileSets, makeRuns } from "../../lib/testing/mod.ts";
import { randomFrom } from "../../server/store/sample/file_sets.ts";
import { serveHere } from "../load.ts";

/** The share of requests that meet each fault. */
const SHARES: readonly (readonly [share: number, fault: Fault])[] = [
  [0.02, { kind: "status", status: 503 }],
  [0.01, { kind: "status", status: 429, retryAfter: "1" }],
  [0.01, { kind: "status", status: 500, body: "x".repeat(1_000_000) }],
  [0.01, { kind: "reset", at: "body" }],
  [0.01, { kind: "html" }],
  [0.01, { kind: "truncated" }],
  [0.002, { kind: "status", status: 401 }],
  [0.0005, { kind: "stall", at: "headers" }],
  [0.0005, { kind: "stall", at: "body" }],
];

const random = randomFrom(1);

function drawFault(): Fault | undefined {
  let drawn = random.next();
  for (const [share, fault] of SHARES) {
    if (drawn < share) return fault;
    drawn -= share;
  }
}

const service = createTestService({
  fileSets: makeFileSets(5000),
  runs: { 101: makeRuns(400) },
  faults: drawFault,
});

serveHere(async (request) => {
  const body = await request.text();
  return await service.fetch(request.url, {
    method: request.method,
    headers: request.headers,
    signal: request.signal,
    ...(body === "" ? {} : { body }),
  });
});
