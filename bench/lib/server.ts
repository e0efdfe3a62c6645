/**
 * A service for the benchmarks of lib, to be run in its own process: file sets made from numbers,
 * answered from prepared bytes. Prints its address.
 *
 * `/rows/{count}/wait/{ms}` is a base URL: the number of file sets, and the delay of each page.
 */
import { serveHere } from "../load.ts";

const encoder = new TextEncoder();
const prepared = new Map<string, Uint8Array<ArrayBuffer>>();

function row(number: number): unknown {
  const moment = new Date(Date.UTC(2024, 0, 1) + number * 60_000).toISOString();
  return {
    id: `${hex(Math.imul(number, 0x9e3779b1) >>> 0, 8)}-ceea-467f-a8ec-${hex(number, 12)}`,
    name: `Orders by region, part ${number}`,
    description: "Kept for the monthly figures of the sales department",
    created: moment,
    createdBy: 1000 + number % 90,
    updated: moment,
    updatedBy: 1000 + number % 70,
    owner: `owner ${number % 50}`,
    permission: "READ",
    fileCount: number % 400,
  };
}

/** UUIDs differ from their first digit on, and so do these ids. */
function hex(number: number, length: number): string {
  return number.toString(16).padStart(length, "0");
}

function page(count: number, offset: number, limit: number): Uint8Array<ArrayBuffer> {
  const length = Math.max(0, Math.min(limit, count - offset));
  const fileSets = Array.from({ length }, (_, index) => row(offset + index));
  const pageContext = { next: "", offset, limit, total: count };
  return encoder.encode(JSON.stringify({ fileSets, pageContext }));
}

serveHere(async (request) => {
  await request.body?.cancel();
  const { pathname, searchParams } = new URL(request.url);
  const [, , rows, , wait] = pathname.split("/");
  const limit = Number(searchParams.get("limit"));
  const offset = Number(searchParams.get("offset"));
  if (Number(wait) > 0) await new Promise((done) => setTimeout(done, Number(wait)));
  const key = `${rows} ${offset} ${limit}`;
  let bytes = prepared.get(key);
  if (!bytes) {
    bytes = page(Number(rows), offset, limit);
    // A million rows are not worth caching.
    if (Number(rows) <= 100_000) prepared.set(key, bytes);
  }
  return new Response(bytes, { headers: { "content-type": "application/json" } });
});
