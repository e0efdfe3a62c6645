import { assert, assertEquals } from "@std/assert";
import type { ReportRun } from "../../../../lib/types.ts";
import { DAY } from "../../../../server/store/sample/clock.ts";
import { fillWithSample, type SampleOptions } from "../../../../server/store/sample/fill.ts";
import { MISSED_DAYS, sampleRuns } from "../../../../server/store/sample/sample_runs.ts";
import { STORIES, type StoryKind } from "../../../../server/store/sample/stories.ts";
import type { Store } from "../../../../server/store/store.ts";
import { openSqliteStore } from "../open_stores.ts";

const NOW = new Date("2026-03-10T15:00:00Z");
const TODAY = "2026-03-10";
const YESTERDAY = "2026-03-09";

async function withSample(
  work: (store: Store) => Promise<void>,
  options: SampleOptions = {},
): Promise<void> {
  const store = await openSqliteStore({ path: ":memory:" });
  try {
    await fillWithSample(store, { now: NOW, ...options });
    await work(store);
  } finally {
    await store.close();
  }
}

async function runsOf(store: Store, kind: StoryKind): Promise<readonly ReportRun[]> {
  const story = STORIES.find((story) => story.kind === kind)!;
  return await store.reportSchedules.history(story.scheduleId, { limit: 1000 });
}

/** How many days before today, on which every schedule of the day has run by 15:00. */
function daysAgo(run: ReportRun): number {
  return Math.floor((Date.parse(`${TODAY}T23:59:59Z`) - Date.parse(run.startTime!)) / DAY);
}

Deno.test("fillWithSample: 5,000 file sets over three years, the newest of yesterday", () =>
  withSample(async (store) => {
    const oldest = await store.fileSets.search({ fieldSort: [{ field: "created" }] }, { limit: 1 });
    assertEquals(oldest.pageContext.total, 5000);
    assertEquals(oldest.fileSets[0].created!.slice(0, 7), "2023-03");
    for (const field of ["created", "updated"] as const) {
      const fieldSort = [{ field, order: "DESC" }];
      const newest = await store.fileSets.search({ fieldSort }, { limit: 1 });
      assertEquals(newest.fileSets[0][field]!.slice(0, 10), YESTERDAY);
    }
  }));

Deno.test("fillWithSample: some descriptions are missing, and no file set was updated before it was created", () =>
  withSample(async (store) => {
    const isMissing = { field: "description", operator: "IS_NULL" };
    const missing = await store.fileSets.search({ filters: [isMissing] }, { limit: 1 });
    assert(missing.pageContext.total! > 500 && missing.pageContext.total! < 1500);
    for (let offset = 0; offset < 5000; offset += 1000) {
      const { fileSets } = await store.fileSets.search({}, { limit: 1000, offset });
      assert(fileSets.every((row) => row.created! <= row.updated!));
    }
  }));

Deno.test("fillWithSample: the same ids and values on another day, times shifted by whole days", async () => {
  const rows: unknown[] = [];
  for (const day of ["2026-03-10T00:00:00Z", "2027-11-01T00:30:00Z"]) {
    await withSample(async (store) => {
      const { fileSets } = await store.fileSets.search({}, { limit: 1000 });
      const runs = await runsOf(store, "failing");
      const times = [...fileSets.map((row) => row.created!), ...runs.map((run) => run.startTime!)];
      rows.push({
        shifted: times.map((time) => Math.floor(Date.parse(day) / DAY) * DAY - Date.parse(time)),
        fileSets: fileSets.map(({ created: _created, updated: _updated, ...rest }) => rest),
        runs: runs.map(({ startTime: _start, endTime: _end, ...rest }) => rest),
      });
    }, { now: new Date(day), fileSets: 1000 });
  }
  assertEquals(rows[0], rows[1]);
});

Deno.test("fillWithSample: what was due by now has run, at every hour", async () => {
  for (const hour of [0, 6, 12, 23]) {
    const now = new Date(Date.UTC(2026, 2, 10, hour, 59));
    await withSample(async (store) => {
      const [newest] = await runsOf(store, "healthy");
      const [hourly] = await runsOf(store, "hourly");
      assertEquals(newest.startTime!.slice(0, 13), `${hour < 6 ? YESTERDAY : TODAY}T06`);
      assert(Date.parse(hourly.startTime!) <= now.getTime());
    }, { now, fileSets: 0 });
  }
});

Deno.test("fillWithSample: fewer rows are the first of more rows", async () => {
  const ids: string[][] = [];
  for (const fileSets of [50, 500]) {
    const store = await openSqliteStore({ path: ":memory:" });
    await fillWithSample(store, { now: NOW, fileSets, schedules: 1, runs: 10 });
    const { fileSets: found } = await store.fileSets.search({}, { limit: 1000 });
    ids.push(found.map((row) => row.id));
    assertEquals((await runsOf(store, "healthy")).length, 10);
    await store.close();
  }
  assertEquals(ids.map((each) => each.length), [50, 500]);
  assert(ids[0].every((id) => ids[1].includes(id)));
});

Deno.test("fillWithSample: every schedule has 400 runs, but the one that never ran has none", () =>
  withSample(async (store) => {
    assertEquals(STORIES.map((story) => story.scheduleId), [
      ...[101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112],
    ]);
    for (const { scheduleId, kind } of STORIES) {
      const runs = await store.reportSchedules.history(scheduleId, { limit: 1000 });
      assertEquals(runs.length, kind === "never" ? 0 : 400);
      assert(runs.every((run) => run.recipientCount === run.recipients!.length));
      assert(runs.every((run) => Date.parse(run.startTime!) <= NOW.getTime()));
      assert(runs.every((run) => run.endTime === undefined || run.endTime! > run.startTime!));
    }
  }, { fileSets: 0 }));

Deno.test("fillWithSample: addresses are at example domains", () =>
  withSample(async (store) => {
    for (const { scheduleId } of STORIES.filter(({ kind }) => kind !== "never")) {
      const runs = await store.reportSchedules.history(scheduleId, { limit: 1000 });
      const addresses = runs.flatMap((run) => run.recipients!.map((each) => each.emailAddress!));
      assert(addresses.length >= runs.length);
      assertEquals(
        addresses.filter((each) => !/^[a-z.]+@(.+\.)?example\.(com|org|net)$/.test(each)),
        [],
      );
    }
  }, { fileSets: 0 }));

Deno.test("fillWithSample: one has been failing for a week", () =>
  withSample(async (store) => {
    const runs = await runsOf(store, "failing");
    assertEquals(runs.slice(0, 7).map((run) => run.status), Array(7).fill("failure"));
    assertEquals(new Set(runs.slice(7).map((run) => run.status)), new Set(["success"]));
  }, { fileSets: 0 }));

Deno.test("fillWithSample: one missed runs on days that are known", () =>
  withSample(async (store) => {
    const days = new Set((await runsOf(store, "missed")).map(daysAgo));
    const last = Math.max(...days);
    const missed = Array.from({ length: last }, (_, day) => day).filter((day) => !days.has(day));
    assertEquals(missed, MISSED_DAYS.filter((day) => day < last));
  }, { fileSets: 0 }));

Deno.test("fillWithSample: one's recipients grew", () =>
  withSample(async (store) => {
    const counts = (await runsOf(store, "recipients")).map((run) => run.recipientCount!);
    assertEquals([counts[0], counts.at(-1)], [40, 6]);
    assert(counts.every((count, index) => index === 0 || count <= counts[index - 1]));
  }, { fileSets: 0 }));

Deno.test("fillWithSample: one's attachments are ten times as large since 40 days", () =>
  withSample(async (store) => {
    const runs = await runsOf(store, "size");
    const sizes = (some: readonly ReportRun[]) => some.map((run) => run.attachmentSize!);
    const after = sizes(runs.filter((run) => daysAgo(run) < 40));
    const before = sizes(runs.filter((run) => daysAgo(run) >= 40));
    assert(Math.min(...after) > 5 * Math.max(...before));
  }, { fileSets: 0 }));

Deno.test("fillWithSample: one has slow outliers, the newest on the first page", () =>
  withSample(async (store) => {
    const minutes = (await runsOf(store, "slow"))
      .map((run) => (Date.parse(run.endTime!) - Date.parse(run.startTime!)) / 60_000);
    const slow = minutes.filter((each) => each > 15);
    assert(slow.length >= 8 && slow.length <= 15);
    assert(minutes.slice(0, 100).some((each) => each > 15));
    assert(minutes.filter((each) => each <= 15).every((each) => each < 1));
  }, { fileSets: 0 }));

Deno.test("fillWithSample: one was run by hand about half of the time, one fails now and then", () =>
  withSample(async (store) => {
    const byHand = (await runsOf(store, "by-hand")).filter((run) => !run.automated).length;
    assert(byHand > 150 && byHand < 250);
    const flaky = await runsOf(store, "flaky");
    const failures = flaky.filter((run) => run.status === "failure").length;
    assert(failures > 30 && failures < 80);
    assertEquals(failures, flaky.filter((run) => !run.automated).length);
  }, { fileSets: 0 }));

Deno.test("fillWithSample: one has had a recipient of another company for 5 days", () =>
  withSample(async (store) => {
    const outside = (await runsOf(store, "outsider")).map((run) =>
      run.recipients!.filter((each) => !each.emailAddress!.endsWith("@example.com")).length
    );
    assertEquals(outside, [1, 1, 1, 1, 1, ...Array(395).fill(0)]);
  }, { fileSets: 0 }));

Deno.test("fillWithSample: weekly runs are a week apart, hourly ones an hour", () =>
  withSample(async (store) => {
    const days = (await runsOf(store, "weekly")).map(daysAgo);
    assert(days.every((day, index) => index === 0 || day - days[index - 1] === 7));
    const hours = (await runsOf(store, "hourly")).slice(0, 12).map((run) =>
      run.startTime!.slice(11, 13)
    );
    // Of today until now, then of the day before.
    assertEquals(hours, ["14", "13", "12", "11", "10", "09", "08", "07", "18", "17", "16", "15"]);
  }, { fileSets: 0 }));

Deno.test("fillWithSample: weekly runs are on Mondays, hourly ones on weekdays, whatever day it is", () => {
  for (let day = 0; day < 7; day++) {
    for (const hour of [5, 15]) {
      const now = new Date(Date.UTC(2026, 2, 9 + day, hour));
      const weekdaysOf = (kind: StoryKind) => {
        const { scheduleId } = STORIES.find((story) => story.kind === kind)!;
        const runs = sampleRuns(scheduleId, 100, now);
        return new Set(runs.map(({ startTime }) => new Date(startTime).getUTCDay()));
      };
      assertEquals(weekdaysOf("weekly"), new Set([1]));
      assertEquals(weekdaysOf("hourly"), new Set([1, 2, 3, 4, 5]));
    }
  }
});
