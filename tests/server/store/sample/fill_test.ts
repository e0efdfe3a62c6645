import { assert, assertEquals } from "@std/assert";
import { DAY } from "../../../../lib/time_units.ts";
import { sampleFileSets } from "../../../../server/store/sample/file_sets.ts";
import { sampleBatches } from "../../../../server/store/sample/fill.ts";
import { sampleRuns } from "../../../../server/store/sample/sample_runs.ts";
import { STORIES, type StoryKind } from "../../../../server/store/sample/stories.ts";
import type { StoredFileSet, StoredRun } from "../rows.ts";

const NOW = new Date("2026-03-10T15:00:00Z");
const TODAY = "2026-03-10";
const YESTERDAY = "2026-03-09";

/** The runs of a story, newest first. */
function runsOf(kind: StoryKind, now = NOW): readonly StoredRun[] {
  const { scheduleId } = STORIES.find((story) => story.kind === kind)!;
  return sampleRuns(scheduleId, 400, now) as StoredRun[];
}

/** All file sets of the sample for a day. */
function fileSetsOf(now: Date) {
  return [...sampleBatches({ now })].flatMap(({ fileSets }) => fileSets ?? []) as StoredFileSet[];
}

Deno.test("sampleBatches: the same ids and values on another day, times shifted by whole days", () => {
  const rows = ["2026-03-10T00:00:00Z", "2027-11-01T00:30:00Z"].map((day) => {
    const fileSets = fileSetsOf(new Date(day));
    const runs = runsOf("failing", new Date(day));
    const times = [...fileSets.map((row) => row.created), ...runs.map((run) => run.startTime)];
    return {
      shifted: times.map((time) => Math.floor(Date.parse(day) / DAY) * DAY - Date.parse(time)),
      fileSets: fileSets.map(({ created: _created, updated: _updated, ...rest }) => rest),
      runs: runs.map(({ startTime: _start, endTime: _end, ...rest }) => rest),
    };
  });
  assertEquals(rows[0], rows[1]);
});

Deno.test("sampleRuns: what was due by now has run, at every hour", () => {
  for (const hour of [0, 6, 12, 23]) {
    const now = new Date(Date.UTC(2026, 2, 10, hour, 59));
    const [newest] = runsOf("healthy", now);
    assertEquals(newest.startTime.slice(0, 13), `${hour < 6 ? YESTERDAY : TODAY}T06`);
    assert(Date.parse(runsOf("hourly", now)[0].startTime) <= now.getTime());
  }
});

Deno.test("sampleBatches: fewer rows are the first of more, none of the future, at example domains", () => {
  assertEquals([...sampleFileSets(50, 0)], [...sampleFileSets(500, 0)].slice(0, 50));
  for (const { kind, scheduleId } of STORIES) {
    const runs = runsOf(kind);
    assertEquals(sampleRuns(scheduleId, 10, NOW), runs.slice(0, 10));
    for (const { recipientCount, recipients, startTime, endTime } of runs) {
      assertEquals(recipientCount, recipients.length);
      assert(Date.parse(startTime) <= NOW.getTime());
      assert(endTime === undefined || endTime > startTime);
      for (const { emailAddress } of recipients) {
        assert(/^[a-z.]+@(.+\.)?example\.(com|org|net)$/.test(emailAddress), emailAddress);
      }
    }
  }
});

Deno.test("sampleRuns: weekly runs are on Mondays, hourly ones on weekdays, whatever day it is", () => {
  for (let day = 0; day < 7; day++) {
    for (const hour of [5, 15]) {
      const now = new Date(Date.UTC(2026, 2, 9 + day, hour));
      const dayOf = ({ startTime }: StoredRun) => new Date(startTime).getUTCDay();
      const weekdaysOf = (kind: StoryKind) => new Set(runsOf(kind, now).slice(0, 100).map(dayOf));
      assertEquals(weekdaysOf("weekly"), new Set([1]));
      assertEquals(weekdaysOf("hourly"), new Set([1, 2, 3, 4, 5]));
    }
  }
});

Deno.test("sampleBatches: every installation has the same rows, as scripts and links rely on them", async () => {
  const text = new TextEncoder().encode(JSON.stringify([...sampleBatches({ now: NOW })]));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  // Who changes the sample on purpose writes the new digest here.
  assertEquals(digest.toHex().slice(0, 16), "8218597375070bdd");
});
