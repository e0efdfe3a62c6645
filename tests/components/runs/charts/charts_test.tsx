import { assert, assertEquals, assertMatch } from "@std/assert";
import { Calendar } from "../../../../components/runs/charts/calendar.tsx";
import { DurationChart } from "../../../../components/runs/charts/duration_chart.tsx";
import { RecipientChart } from "../../../../components/runs/charts/recipient_chart.tsx";
import { RunStrip } from "../../../../components/runs/charts/strip.tsx";
import { measureDurations } from "../../../../lib/runs/durations.ts";
import type { JudgedPlan } from "../../../../lib/runs/judge/judge_schedule.ts";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { htmlOf, linksOf, textsOf } from "../../rendered.ts";

const dictionary = defaultStatusDictionary();
const DAY = 86_400_000;
const FIRST = Date.parse("2026-01-05T06:00:00Z");

/** A run a day, the newest first, with the given statuses. */
function daily(...statuses: string[]): ReportRun[] {
  return statuses.map((status, index) => ({
    id: index + 1,
    status,
    startTime: new Date(FIRST + index * DAY).toISOString(),
    endTime: new Date(FIRST + index * DAY + 60_000).toISOString(),
  })).reverse();
}

function classesOf(html: string): string[] {
  return [...html.matchAll(/<a href="\/[^>]*class="([^"]*)"/g)].map(([, name]) => name);
}

Deno.test("RunStrip: a bar for each run, the newest last, each with its words and meaning", () => {
  const html = htmlOf(
    <RunStrip
      runs={daily("success", "failure", "paused")}
      scheduleId={101}
      dictionary={dictionary}
    />,
  );
  assertEquals(linksOf(html), {
    "2026-01-05 06:00 UTC, success": "/schedules/101/runs/1",
    "2026-01-06 06:00 UTC, failure": "/schedules/101/runs/2",
    "2026-01-07 06:00 UTC, paused": "/schedules/101/runs/3",
  });
  assertEquals(classesOf(html), ["good", "bad", "neutral"]);
  assertEquals(textsOf(html, "figcaption"), ["Latest 3 runs: 1 paused, 1 failure, 1 success"]);
  assertMatch(html, /aria-label="Latest 3 runs, newest last"/);
  const heights = [...html.matchAll(/<path d="M[\d.]+ 36v-([\d.]+)/g)].map(([, height]) => +height);
  assertEquals(heights, [18, 18, 7.2], "shapes differ as well as colours");
  assertEquals(
    html.match(/<path d="[^"]*z M?|<path d="[^"]*zM/g)?.length,
    1,
    "a gap in the failure",
  );
});

Deno.test("RunStrip: counts statuses, the most frequent first", () => {
  const html = htmlOf(
    <RunStrip
      runs={daily("", "success", "success")}
      scheduleId={1}
      dictionary={dictionary}
    />,
  );
  assertEquals(textsOf(html, "figcaption"), ["Latest 3 runs: 2 success, 1 no status"]);
});

function scheduleOf(missed: string[], source: JudgedPlan["source"] = "inferred"): JudgedPlan {
  return {
    plan: { cron: ["0 6 * * *"], zone: "UTC", graceMs: 300_000, since: FIRST },
    source,
    missed: missed.map((day) => ({ at: Date.parse(`${day}T06:00:00Z`), id: day })),
    overdue: [],
    late: [],
    next: null,
    sees: { since: FIRST, enough: true },
    counts: { missed: missed.length, overdue: 0 },
  };
}

Deno.test("Calendar: a day shows its worst run, and days without runs say so", () => {
  const [third, second, first] = daily("success", "success", "success");
  const runs = [
    { ...third, id: 9, status: "success" },
    { ...second, id: 8, status: "paused" },
    { ...second, id: 7, status: "success" },
    { ...first, id: 6, status: "success" },
    { ...first, id: 5, status: "failure" },
  ];
  const html = htmlOf(
    <Calendar
      runs={runs}
      schedule={scheduleOf(["2026-01-06", "2026-01-04"])}
      scheduleId={101}
      dictionary={dictionary}
    />,
  );
  assertEquals(linksOf(html), {
    "Skip chart": "#calendar-end",
    "2026-01-05, 2 runs: 1 success, 1 failure":
      "/schedules/101?from=2026-01-05&through=2026-01-05#runs",
    "2026-01-06, 2 runs: 1 paused, 1 success, a missed run (inferred)":
      "/schedules/101?from=2026-01-06&through=2026-01-06#runs",
    "2026-01-07, 1 run: 1 success": "/schedules/101/runs/9",
  });
  assertEquals(classesOf(html), ["bad", "neutral missed", "good"]);
  const titles = textsOf(html, "title");
  assert(titles.includes("2026-01-04, a missed run (inferred)"));
  assert(titles.includes("2026-01-03, no run"));
  // 25 whole weeks before that of the newest day, which is a Wednesday.
  assertEquals(titles.length, 25 * 7 + 3);
  assertMatch(textsOf(html, "figcaption")[0], /outlined with a dot: a missed run \(inferred\)\.$/);
});

Deno.test("Calendar: a confirmed plan infers no missed run", () => {
  const html = htmlOf(
    <Calendar
      runs={daily("success")}
      schedule={scheduleOf(["2026-01-04"], "confirmed")}
      scheduleId={101}
      dictionary={dictionary}
    />,
  );
  assert(textsOf(html, "title").includes("2026-01-04, a missed run"));
});

Deno.test("Calendar: weeks begin on Monday, in rows from Monday to Sunday", () => {
  const html = htmlOf(
    <Calendar runs={daily("success")} schedule={null} scheduleId={1} dictionary={dictionary} />,
  );
  const rows = [...html.matchAll(/<text class="left"[^>]*y="(\d+)"[^>]*>(\w+)/g)];
  assertEquals(rows.map(([, y, name]) => [name, +y]), [
    ["Mon", 31],
    ["Wed", 65],
    ["Fri", 99],
    ["Sun", 133],
  ]);
  // 5 January 2026 is a Monday, so its square is the first of the last column.
  assertMatch(html, /<path d="M461 20h13v13h-13z"/);
  assertEquals(textsOf(html, "figcaption")[0].endsWith("empty: no run."), true);
});

Deno.test("Calendar: days are those of the reader's zone", () => {
  const late = [{ id: 1, status: "success", startTime: "2026-01-05T23:30:00Z" }];
  const html = (zone: string) =>
    htmlOf(<Calendar runs={late} schedule={null} scheduleId={1} dictionary={dictionary} />, zone);
  assertEquals("2026-01-05, 1 run: 1 success" in linksOf(html("UTC")), true);
  assertEquals("2026-01-06, 1 run: 1 success" in linksOf(html("Europe/Berlin")), true);
});

Deno.test("Calendar: without a run that says when it started there is none", () => {
  assertEquals(
    htmlOf(<Calendar runs={[{ id: 1 }]} schedule={null} scheduleId={1} dictionary={dictionary} />),
    "",
  );
});

Deno.test("DurationChart: a point for each run with a duration, and outliers are ringed", () => {
  const runs = daily(...Array.from({ length: 30 }, () => "success")).map((run, index) => ({
    ...run,
    endTime: new Date(Date.parse(run.startTime!) + (index === 4 ? 3_600_000 : 60_000 + index * 900))
      .toISOString(),
  }));
  const html = htmlOf(
    <DurationChart
      runs={[{ id: 99, startTime: runs[0].startTime }, ...runs]}
      durations={measureDurations(runs)}
      scheduleId={101}
      dictionary={dictionary}
    />,
  );
  const labels = Object.keys(linksOf(html)).slice(1);
  assertEquals(labels.length, 30);
  assertEquals(labels.filter((label) => label.endsWith(", outlier")), [
    "2026-01-30 06:00 UTC, success, 1 h 00 min, outlier",
  ]);
  const [caption] = textsOf(html, "figcaption");
  assertMatch(caption, /^The latest 30 runs with a duration\. Lines: median \(p50\) and 95th/);
  assertMatch(caption, /of 30 runs \(1 in total\)\. Logarithmic scale\.$/);
  assertMatch(html, /p50 1 min \d\d s/);
});

Deno.test("DurationChart: says when there are too few runs to detect outliers", () => {
  const runs = daily("success", "failure");
  const html = htmlOf(
    <DurationChart
      runs={runs}
      durations={measureDurations(runs)}
      scheduleId={1}
      dictionary={dictionary}
    />,
  );
  assertEquals(
    textsOf(html, "figcaption"),
    [
      "The latest 2 runs with a duration. Lines: median (p50) and 95th percentile (p95) of 2 runs. " +
      "Too few runs to detect outliers.",
    ],
  );
});

Deno.test("RecipientChart: a point for each change, by the count or else the list", () => {
  const counts = [3, 3, 5, undefined, 4];
  const runs = daily(...counts.map(() => "success")).map((run, index) => ({
    ...run,
    recipientCount: counts[counts.length - 1 - index],
    recipients: index === 1 ? [{ userId: 1 }] : null,
  }));
  const html = htmlOf(<RecipientChart runs={runs} scheduleId={101} dictionary={dictionary} />);
  assertEquals(Object.keys(linksOf(html)).slice(1), [
    "2026-01-05 06:00 UTC, success, 3 recipients",
    "2026-01-07 06:00 UTC, success, 5 recipients",
    "2026-01-08 06:00 UTC, success, 1 recipient",
    "2026-01-09 06:00 UTC, success, 4 recipients",
  ]);
  assertEquals(textsOf(html, "figcaption"), [
    "5 runs with a recipient count. Points: the first and the latest run, and every change.",
  ]);
  assertEquals(
    htmlOf(<RecipientChart runs={[{ id: 1 }]} scheduleId={1} dictionary={dictionary} />),
    "",
  );
});
