import { assert, assertEquals } from "@std/assert";
import { DAY } from "../../../../lib/time_units.ts";
import { sampleBatches } from "../../../../server/store/sample/fill.ts";

Deno.test("sampleBatches: always the same rows, none of the future, all at example domains", async () => {
  /** The rows at a moment, with each time as how long before that it is. */
  const rowsAt = (now: number) =>
    JSON.stringify([...sampleBatches({ now: new Date(now) })])
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => String(now - Date.parse(time)));
  const now = Date.parse("2026-03-10T15:00:00Z");
  const rows = rowsAt(now);
  assert(rows === rowsAt(now + 86 * 7 * DAY), "Rows differ many weeks later");
  assert(!/"(startTime|endTime|created|updated)":"-/.test(rows), "Some are of the future");
  for (const [, address] of rows.matchAll(/"emailAddress":"([^"]*)"/g)) {
    assert(/^[a-z.]+@(.+\.)?example\.(com|org|net)$/.test(address), address);
  }
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(rows));
  // Scripts and links rely on them. Who changes the sample on purpose writes the new digest here.
  assertEquals(new Uint8Array(digest).toHex().slice(0, 16), "c8adbf4f39a014aa");
});
