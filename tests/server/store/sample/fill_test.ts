import { assert, assertEquals } from "@std/assert";
import { DAY } from "../../../../lib/time_units.ts";
import { sampleBatches } from "../../../../server/store/sample/fill.ts";
import { sampleRuns } from "../../../../server/store/sample/sample_runs.ts";
import { STORIES, type StoryKind } from "../../../../server/store/sample/stories.ts";
import type { StoredRun } from "../rows.ts";

/** The runs of a story, newest first. */
function runsOf(kind: StoryKind, now: Date): readonly StoredRun[] {
  const { scheduleId } = STORIES.find((story) => story.kind === kind)!;
  return sampleRuns(scheduleId, 100, now) as StoredRun[];
}

Deno.test("sampleBatches: always the same rows, none of the future, all at example domains", async () => {
  /** Rows, with each time as how long before a moment it is. */
  const timed = (rows: unknown, moment: number) =>
    JSON.stringify(rows).replace(
      /\d{4}-\d\d-\d\dT[\d:.]+Z/g,
      (time) => String(moment - Date.parse(time)),
    );
  const batchesAt = (now: number) => [...sampleBatches({ now: new Date(now) })];
  const now = Date.parse("2026-03-10T15:00:00Z");
  const rows = timed(batchesAt(now), now);
  const later = now + 86 * 7 * DAY;
  assert(rows === timed(batchesAt(later), later), "Rows differ many weeks later");
  const daily = (now: number) => {
    const some = [batchesAt(now).map(({ fileSets }) => fileSets), runsOf("failing", new Date(now))];
    return timed(some, Math.floor(now / DAY) * DAY);
  };
  const [night, other] = ["2026-03-10T00:00Z", "2027-11-01T00:30Z"].map((day) => Date.parse(day));
  assert(daily(night) === daily(other), "Rows differ on another day of the week");
  assert(!/"(startTime|endTime|created|updated)":"-/.test(rows), "Some are of the future");
  for (const [, address] of rows.matchAll(/"emailAddress":"([^"]*)"/g)) {
    assert(/^[a-z.]+@(.+\.)?example\.(com|org|net)$/.test(address), address);
  }
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(rows));
  // Scripts and links rely on them. Who changes the sample on purpose writes the new digest here.
  assertEquals(new Uint8Array(digest).toHex().slice(0, 16), "c8adbf4f39a014aa");
});
