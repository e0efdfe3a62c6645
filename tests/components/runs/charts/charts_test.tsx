import { assert, assertEquals, assertMatch } from "@std/assert";
import { Calendar } from "../../../../components/runs/charts/calendar.tsx";
import { DurationChart } from "../../../../components/runs/charts/duration_chart.tsx";
import { RecipientChart } from "../../../../components/runs/charts/recipient_chart.tsx";
import { WeekTable } from "../../../../components/runs/charts/week_table.tsx";
import { measureDurations } from "../../../../lib/runs/durations.ts";
import type { JudgedPlan } from "../../../../lib/judgement/judge_schedule.ts";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import { htmlOf, linksOf, textsOf } from "../../rendered.ts";
import { daily, DAY, FIRST } from "./runs.ts";

const dictionary = defaultStatusDictionary();

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

Deno.test("Calendar: days that need a look are links and say what ran, others are one shape each", () => {
  const [third, second, first] = daily("success", "success", "success");
  const runs = [
    { ...third, id: 9, status: "success" },
    { ...second, id: 8, status: "paused" },
    { ...second, id: 7, status: "success" },
    { ...first, id: 6, status: "failure" },
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
    "2026-01-05, 1 run: 1 failure": "/schedules/101/runs/6",
    "2026-01-06, 2 runs: 1 paused, 1 success, 1 missed (inferred)":
      "/schedules/101?q=started:2026-01-06#runs",
  });
  assertEquals(textsOf(html, "title"), [
    "1 day with successful runs only",
    // 25 whole weeks before that of the newest day, which is a Wednesday, and not those below.
    `${25 * 7 + 3 - 4} days without a run`,
    "2026-01-04, 1 missed (inferred)",
    "2026-01-05, 1 run: 1 failure",
    "2026-01-06, 2 runs: 1 paused, 1 success, 1 missed (inferred)",
  ]);
  assertEquals(
    [...html.matchAll(/<path class="([^"]*)"/g)].map(([, name]) => name),
    ["good days", "empty-day", "missed", "bad", "neutral missed"],
  );
  assertMatch(
    textsOf(html, "figcaption")[0],
    /empty: no run; outlined with a dot: missed \(inferred\)\.$/,
  );
});

Deno.test("Calendar: a day on which some runs failed is split by their share", () => {
  const heightsOf = (failed: number, of: number) => {
    const runs = Array.from({ length: of }, (_, hour) => ({
      id: hour,
      status: hour < failed ? "failure" : "success",
      startTime: new Date(FIRST + hour * 60_000).toISOString(),
    }));
    const html = htmlOf(
      <Calendar runs={runs} schedule={null} scheduleId={1} dictionary={dictionary} />,
    );
    const paths = [...html.matchAll(/<path class="(good|bad)" d="M461 (\d+)h13v(\d+)h-13z"/g)];
    return paths.map(([, kind, y, height]) => [kind, +y, +height]);
  };
  assertEquals(heightsOf(2, 24), [["good", 20, 9], ["bad", 30, 3]]);
  assertEquals(heightsOf(12, 24), [["good", 20, 5], ["bad", 26, 7]]);
  assertEquals(heightsOf(23, 24), [["good", 20, 3], ["bad", 24, 9]]);
  assertEquals(heightsOf(24, 24), [], "all failed is a cross");
});

Deno.test("Calendar: only the newest forty days are links, so that a bad half-year is no long page", () => {
  const runs = daily(...Array.from({ length: 60 }, () => "failure"));
  const html = htmlOf(
    <Calendar runs={runs} schedule={null} scheduleId={1} dictionary={dictionary} />,
  );
  const links = Object.values(linksOf(html)).slice(1);
  assertEquals(links, runs.slice(0, 40).reverse().map(({ id }) => `/schedules/1/runs/${id}`));
  assert(textsOf(html, "title").includes("20 earlier days with problems"));
});

Deno.test("Calendar: an incident stands on the day on which it opened", () => {
  const html = htmlOf(
    <Calendar
      runs={daily("success", "success")}
      schedule={null}
      scheduleId={1}
      dictionary={dictionary}
      incidents={[
        { id: "b", summary: "2 runs failed", opened: FIRST + DAY + 1 },
        { id: "a", summary: "1 run failed", opened: FIRST + DAY },
        { id: "c", summary: "too long ago", opened: FIRST - 400 * DAY },
      ]}
    />,
  );
  assertEquals(Object.entries(linksOf(html)).slice(1), [
    ["2026-01-06, 2 incidents, the latest: 2 runs failed", "/incidents/b"],
  ]);
  assertMatch(textsOf(html, "figcaption")[0], /; corner: an incident opened\.$/);
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
  assert(textsOf(html, "title").includes("2026-01-04, 1 missed (confirmed plan)"));
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
  // 5 January 2026 is a Monday, so its line is the first of the last column.
  assertMatch(html, /<path class="good days" d="M467.5 20v13"/);
  assertEquals(textsOf(html, "figcaption")[0].endsWith("empty: no run."), true);
});

Deno.test("Calendar: days are those of the reader's zone", () => {
  const late = [{ id: 1, status: "failure", startTime: "2026-01-05T23:30:00Z" }];
  const html = (zone: string) =>
    htmlOf(<Calendar runs={late} schedule={null} scheduleId={1} dictionary={dictionary} />, zone);
  assertEquals("2026-01-05, 1 run: 1 failure" in linksOf(html("UTC")), true);
  assertEquals("2026-01-06, 1 run: 1 failure" in linksOf(html("Europe/Berlin")), true);
});

Deno.test("Calendar: without a run that says when it started there is none", () => {
  assertEquals(
    htmlOf(<Calendar runs={[{ id: 1 }]} schedule={null} scheduleId={1} dictionary={dictionary} />),
    "",
  );
});

Deno.test("DurationChart: outliers and failures are links, usual successes are dots of one path", () => {
  const runs = daily(...Array.from({ length: 30 }, (_, at) => at === 7 ? "failure" : "success"))
    .map((run, index) => ({
      ...run,
      endTime: new Date(
        Date.parse(run.startTime!) + (index === 4 ? 3_600_000 : 60_000 + index * 900),
      ).toISOString(),
    }));
  const html = htmlOf(
    <DurationChart
      runs={[{ id: 99, startTime: runs[0].startTime }, ...runs]}
      durations={measureDurations(runs)}
      scheduleId={101}
      dictionary={dictionary}
    />,
  );
  assertEquals(Object.entries(linksOf(html)).slice(1), [
    ["2026-01-12 06:00 UTC, failure, 1 min 20 s", "/schedules/101/runs/8"],
    ["2026-01-30 06:00 UTC, success, 1 h, outlier", "/schedules/101/runs/26"],
  ]);
  const [, dots] = html.match(/<path class="good dots" d="([^"]*)"/)!;
  assertEquals(dots.match(/M[\d.]+ [\d.]+h0/g)?.length, 28);
  assertEquals(textsOf(html, "title")[0], "Successful runs with a usual duration");
  const [caption] = textsOf(html, "figcaption");
  assertMatch(caption, /^The latest 30 runs with a duration\. Lines: median \(p50\) and 95th/);
  assertMatch(
    caption,
    /Rings: outliers, more than 3\.5 median .* of 30 runs \(1 in total\)\. Logarithmic scale\.$/,
  );
  assertMatch(html, /p50 1 min \d\d s/);
});

Deno.test("DurationChart: of many failures only the newest forty are links, all are drawn", () => {
  const runs = daily(...Array.from({ length: 50 }, () => "failure"));
  const html = htmlOf(
    <DurationChart
      runs={runs}
      durations={measureDurations(runs)}
      scheduleId={1}
      dictionary={dictionary}
    />,
  );
  const links = Object.values(linksOf(html)).slice(1);
  assertEquals(links, runs.slice(0, 40).reverse().map(({ id }) => `/schedules/1/runs/${id}`));
  const [, earlier] = html.match(/<path class="bad" d="([^"]*)"/)!;
  assertEquals(earlier.match(/M/g)?.length, 10);
  assertEquals(
    textsOf(html, "title")[0],
    "Earlier runs that failed, or took unusually long or short",
  );
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

Deno.test("WeekTable: a row a week, the newest first, without columns that say nothing", () => {
  const runs = daily(
    "success",
    "failure",
    "success",
    "success",
    "success",
    "success",
    "success",
    "paused",
  );
  const html = htmlOf(
    <WeekTable
      runs={[{ ...runs[0], recipientCount: 7 }, ...runs.slice(1)]}
      schedule={scheduleOf(["2026-01-04", "2026-01-12"])}
      scheduleId={101}
      dictionary={dictionary}
    />,
  );
  assertEquals(textsOf(html, "tr"), [
    "Week of | Runs | Failed | Other status | Missed | Median duration | Longest | Recipients",
    "2026-01-12 | 1 | 0 | 1 | 1 | 1 min | 1 min | 7",
    "2026-01-05 | 7 | 1 | 0 | 0 | 1 min | 1 min | none",
    "2025-12-29 | 0 | 0 | 0 | 1 | none | none | none",
  ]);
  assertEquals(textsOf(html, "summary"), ["The charts as a table, by week"]);
  assertEquals(textsOf(html, "caption"), ["Runs by week, days in UTC"]);
  assertMatch(html, /role="region" aria-label="Weeks"/);
  assertEquals(
    linksOf(html)["2026-01-05"],
    "/schedules/101?q=started:2026-01-05..2026-01-11#runs",
  );
  const well = htmlOf(
    <WeekTable
      runs={[{ id: 1, status: "success", startTime: new Date(FIRST).toISOString() }]}
      schedule={null}
      scheduleId={1}
      dictionary={dictionary}
    />,
  );
  assertEquals(textsOf(well, "tr"), ["Week of | Runs", "2026-01-05 | 1"]);
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
