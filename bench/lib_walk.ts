/**
 * The cost of a walk over 100,000 file sets: CPU compared with bare `fetch` and `JSON.parse` of the
 * same bytes, and time with prefetch compared with one page after the other.
 */

import process from "node:process";
import { createClient } from "../lib/mod.ts";
import { type Bench, figureOf } from "./bench.ts";
import { startServing } from "./load.ts";
import { inPairs } from "./pairs.ts";

const ROWS = 100_000;
const LIMIT = 100;

/** CPU milliseconds that some work takes in this process. */
async function cpu(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function elapsed(work: () => Promise<void>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

async function bare(baseUrl: string): Promise<void> {
  let rows = 0;
  for (let offset = 0; offset <= ROWS; offset += LIMIT) {
    const response = await fetch(
      `${baseUrl}/api/files/v1/filesets/search?limit=${LIMIT}&offset=${offset}`,
      { method: "POST", headers: { "content-type": "application/json" }, body: "{}" },
    );
    rows += JSON.parse(await response.text()).fileSets.length;
  }
  if (rows !== ROWS) throw new Error(`${rows} rows`);
}

async function byPage(baseUrl: string, prefetch?: number): Promise<void> {
  const client = createClient({ baseUrl, token: "bench" });
  const options = prefetch === undefined ? {} : { prefetch };
  const walk = client.fileSets.search({}, { limit: LIMIT }).walk(options);
  let rows = 0;
  for await (const { fileSets } of walk.pages()) rows += fileSets.length;
  if (rows !== ROWS || !walk.report.complete) throw new Error(`${rows} rows`);
}

async function byItem(baseUrl: string): Promise<void> {
  const client = createClient({ baseUrl, token: "bench" });
  let rows = 0;
  for await (const _ of client.fileSets.search({}, { limit: LIMIT })) rows++;
  if (rows !== ROWS) throw new Error(`${rows} rows`);
}

// Some rounds until everything is compiled.
const ROUNDS = { warmUp: 5, rounds: 15 };

const ms = (number: number) => `${Math.round(number)} ms`;

const bench: Bench = async () => {
  const service = await startServing([new URL("./lib/server.ts", import.meta.url).pathname]);
  try {
    const quick = `${service.origin}/rows/${ROWS}/wait/0`;
    const slow = `${service.origin}/rows/${ROWS}/wait/20`;
    const pages = await inPairs(
      () => cpu(() => byPage(quick)),
      () => cpu(() => bare(quick)),
      ROUNDS,
    );
    const items = await inPairs(
      () => cpu(() => byItem(quick)),
      () => cpu(() => bare(quick)),
      ROUNDS,
    );
    const one = await elapsed(() => byPage(slow, 1));
    const eight = await elapsed(() => byPage(slow, 8));
    const against = "against bare fetch and JSON.parse";
    const serial = "time of that walk with 20 ms a page, prefetch 1 against prefetch 8";
    return [
      figureOf(`CPU of walking 100,000 file sets by page, ${against}`, pages, ms, "≤ 1.3"),
      figureOf(`the same by item, de-duplicated, ${against}`, items, ms, "≤ 3"),
      figureOf(serial, { measured: one, baseline: eight }, ms, "≥ 7"),
    ];
  } finally {
    await service.stop();
  }
};

export default bench;
