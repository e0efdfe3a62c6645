/** Exports everything from a service to CSV, or nothing, and prints its peak memory in KiB. */

import { createClient, createIdSet, csvStream, fileSetColumns } from "../../lib/mod.ts";

const [baseUrl, rows] = Deno.args;
if (baseUrl) {
  const client = createClient({ baseUrl, token: "bench" });
  let lines = -1;
  const walk = client.fileSets.search().walk({ addId: createIdSet() });
  for await (const chunk of csvStream(walk, { columns: fileSetColumns() })) {
    for (const byte of chunk) if (byte === 10) lines++;
  }
  if (String(lines) !== rows) throw new Error(`${lines} rows were exported`);
}
const status = await Deno.readTextFile("/proc/self/status");
console.log(/VmHWM:\s+(\d+)/.exec(status)?.[1]);
