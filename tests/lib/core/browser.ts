/** Uses the client in a page, where fetch, signals and timers are a browser's. Sets `coreResults`. */
import { createClient, isDocketError } from "../../../lib/mod.ts";
import {
  createTestClock,
  createTestService,
  type Fault,
  makeFileSets,
} from "../../../lib/testing/mod.ts";

const TOKEN = "core-token-0815";
const FAULTS: readonly Fault[] = [
  { kind: "reset", at: "body" },
  { kind: "stall", at: "headers" },
  { kind: "truncated" },
  { kind: "status", status: 429, retryAfter: "30" },
];

/** What comes of a search: the number of rows, or the kind and the excerpt of its error. */
async function outcomeOf(faults: readonly Fault[], always?: Fault, signal?: AbortSignal) {
  const { runtime } = createTestClock();
  const { fetch } = createTestService({
    fileSets: makeFileSets(250),
    token: TOKEN,
    runtime,
    faults: ({ index }) => always ?? faults[index],
  });
  const baseUrl = "https://service.example/base";
  const client = createClient({ baseUrl, token: TOKEN, fetch, runtime, attempts: 5 });
  try {
    let rows = 0;
    const walk = client.fileSets.search({}, signal ? { signal } : {}).walk({ prefetch: 3 });
    for await (const _ of walk) rows++;
    return rows;
  } catch (error) {
    if (!isDocketError(error)) return String(error);
    return error.kind === "http" ? `${error.excerpt}` : error.kind;
  }
}

const signal = AbortSignal.timeout(20);
const results = await Promise.all([
  outcomeOf(FAULTS),
  outcomeOf([], { kind: "status", status: 400, body: `you sent ${TOKEN}` }),
  outcomeOf([], { kind: "stall", at: "body" }),
  new Promise((done) => signal.addEventListener("abort", done))
    .then(() => outcomeOf([], undefined, signal)),
]);
Object.assign(globalThis, { coreResults: results });
