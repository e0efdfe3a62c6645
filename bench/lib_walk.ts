/**
 * What a walk over 100,000 file sets costs: CPU against bare `fetch` and `JSON.parse` of the same
 * bytes, and time with pages asked for ahead against one after the other.
 */

import process from "node:process";
import { createClient } from "../lib/mod.ts";
import { startService } from "./lib_service.ts";

const ROWS = 100_000;
const LIMIT = 100;

/** Milliseconds of CPU that work takes in this process. */
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

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

await using service = await startService();
const quick = `${service.origin}/rows/${ROWS}/wait/0`;
const slow = `${service.origin}/rows/${ROWS}/wait/20`;

// Some rounds until everything is compiled, then in turns, so that whatever else the machine does
// falls on all alike.
const WARM_UP = 5;
const ROUNDS = 15;
const costs: Record<"bare" | "byPage" | "byItem", number[]> = { bare: [], byPage: [], byItem: [] };
for (let round = 0; round < WARM_UP + ROUNDS; round++) {
  const now = {
    bare: await cpu(() => bare(quick)),
    byPage: await cpu(() => byPage(quick)),
    byItem: await cpu(() => byItem(quick)),
  };
  if (round < WARM_UP) continue;
  costs.bare.push(now.bare);
  costs.byPage.push(now.byPage);
  costs.byItem.push(now.byItem);
}
const base = median(costs.bare);
const pages = median(costs.byPage);
const items = median(costs.byItem);
const one = await elapsed(() => byPage(slow, 1));
const eight = await elapsed(() => byPage(slow, 8));

const ms = (number: number) => `${Math.round(number)} ms`;
console.log(`lib_walk: ${ROWS} file sets, ${LIMIT} a page`);
console.log(`  bare fetch and JSON.parse  ${ms(base)} CPU`);
console.log(`  by page    ${ms(pages)} CPU, ${(pages / base).toFixed(2)} x (wanted: at most 1.3)`);
console.log(`  by item    ${ms(items)} CPU, ${(items / base).toFixed(2)} x (wanted: at most 3)`);
console.log(
  `  20 ms a page: prefetch 1 ${ms(one)}, prefetch 8 ${ms(eight)}, ` +
    `${(one / eight).toFixed(2)} x faster (wanted: at least 7)`,
);
