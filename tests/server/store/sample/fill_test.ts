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

Deno.test("sampleBatches: the same ids and values on another day, times shifted by whole days", () => {
  const rows = ["2026-03-10T00:00:00Z", "2027-11-01T00:30:00Z"].map((day) => {
    const now = new Date(day);
    const fileSets = [...sampleBatches({ now })].flatMap((batch) => batch.fileSets ?? []);
    const runs = runsOf("failing", now);
    const times = [...fileSets.map((row) => row.created!), ...runs.map((run) => run.startTime)];
    return {
      shifted: times.map((time) => Math.floor(Date.parse(day) / DAY) * DAY - Date.parse(time)),
      fileSets: fileSets.map(({ created: _created, updated: _updated, ...rest }) => rest),
      runs: runs.map(({ startTime: _start, endTime: _end, ...rest }) => rest),
    };
  });
  assertEquals(rows[0], rows[1]);
});

Deno.test("sampleBatches: always the same rows, none of the future, all at example domains", async () => {
  /** All rows, with each time as how long before now it is. */
  const rowsAt = (now: number) =>
    JSON.stringify([...sampleBatches({ now: new Date(now) })]).replace(
      /\d{4}-\d\d-\d\dT[\d:.]+Z/g,
      (time) => String(now - Date.parse(time)),
    );
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

Deno.test("sampleRuns: weekly, daily and hourly runs have run as planned, at any time", () => {
  for (let hour = 0; hour < 7 * 24; hour += 5) {
    const now = new Date(Date.UTC(2026, 2, 9, hour, 59));
    const weekdaysOf = (kind: StoryKind) =>
      new Set(runsOf(kind, now).map(({ startTime }) => new Date(startTime).getUTCDay()));
    assertEquals(weekdaysOf("weekly"), new Set([1]));
    assertEquals(weekdaysOf("hourly"), new Set([1, 2, 3, 4, 5]));
    assert(Date.parse(runsOf("hourly", now)[0].startTime) <= now.getTime());
    const due = Math.floor((now.getTime() - DAY / 4) / DAY) * DAY + DAY / 4;
    const [{ startTime }] = runsOf("healthy", now);
    assertEquals(startTime.slice(0, 13), new Date(due).toISOString().slice(0, 13));
  }
});
