import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  type CHART_NAMES,
  chartOf,
  measureOf,
} from "../../../../components/runs/charts/measures.ts";
import { RunCharts } from "../../../../components/runs/charts/run_charts.tsx";
import { ValueChart } from "../../../../components/runs/charts/value_chart.tsx";
import { DAY } from "../../../../lib/time_units.ts";
import { judgeSchedule } from "../../../../lib/judgement/judge_schedule.ts";
import type { ReasonCode, ReasonOf } from "../../../../lib/judgement/reason.ts";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { htmlOf, linksOf, textsOf } from "../../rendered.ts";
import { daily, FIRST, taking } from "./runs.ts";
import { sampleReason } from "../../../sample_reasons.ts";

const dictionary = defaultStatusDictionary();
const DAYS = 40;

/** A schedule that runs daily and is well, but for what changes about some runs, by their day. */
function chartsOf(change: (day: number) => Partial<ReportRun>, query = {}): string {
  const runs = daily(...Array.from({ length: DAYS }, () => "success")).map((run) => ({
    ...run,
    cardCount: 4,
    recipientCount: 6,
    attachmentSize: 1000 + run.id % 3 * 20,
    ...change(run.id - 1),
  }));
  const verdict = judgeSchedule({ runs }, {
    statuses: dictionary,
    now: FIRST + (DAYS - 1) * DAY + 3_600_000 * 2,
  });
  return htmlOf(
    <RunCharts
      loaded={runs}
      found={runs}
      verdict={verdict}
      view={{ body: {}, ...query }}
      scheduleId={7}
      dictionary={dictionary}
    />,
  );
}

const startingAt = (day: number, minutes: number) =>
  new Date(FIRST + day * DAY + minutes * 60_000).toISOString();

Deno.test("RunCharts: show what is wrong, and name the change", () => {
  const drawn = (change: (day: number) => Partial<ReportRun>) => {
    const html = chartsOf(change);
    const [, label] = /<g class="change.*?<text[^>]*>([^<]*)/.exec(html) ?? [];
    return [textsOf(html, "h2"), label];
  };
  assertEquals(drawn((day) => day > 34 ? { attachmentSize: 10_000 } : {}), [
    ["Attachment size"],
    "9 Feb: attachments 9.8 times larger",
  ]);
  assertEquals(drawn((day) => day > 34 ? { recipientCount: 2 } : {}), [
    ["Recipients"],
    "9 Feb: sent to 2 instead of 6 people",
  ]);
  assertEquals(
    drawn((day) => day > 34 ? { endTime: startingAt(day, 30) } : {}),
    [["Duration"], "9 Feb: slower"],
  );
  assertEquals(drawn((day) => day > 37 ? { status: "failure" } : {}), [["Calendar"], undefined]);
  assertEquals(drawn(() => ({})), [[], undefined]);
});

Deno.test("RunCharts: link other charts, and list values that never change", () => {
  const html = chartsOf(() => ({}), { body: {}, limit: 10 });
  assertEquals(linksOf(html), {
    "Calendar": "?limit=10&chart=days#run-charts",
    "Attachment size": "?limit=10&chart=attachments#run-charts",
  });
  assertEquals(textsOf(html, "p"), [
    "The same in every run: lateness 0 s, duration 1 min, cards 4, recipients 6.",
  ]);
  const chosen = chartsOf(() => ({}), { chart: "attachments" });
  assertEquals(textsOf(chosen, "h2"), ["Attachment size"]);
  assertMatch(chosen, /aria-current="true">Attachment size/);
  assertEquals(textsOf(chartsOf(() => ({}), { chart: "recipients" }), "h2"), ["Recipients"]);
});

Deno.test("RunCharts: ring starts later than the grace", () => {
  const html = chartsOf((day) =>
    day > 36 ? { startTime: startingAt(day, 50), endTime: startingAt(day, 51) } : {}
  );
  assertEquals(textsOf(html, "h2"), ["Lateness"]);
  assertMatch(html, /grace \d+ min/);
  const ringed = Object.keys(linksOf(html)).filter((name) => name.endsWith("50 min, unusual"));
  assertEquals(ringed.length, 3);
});

Deno.test("chartOf: finds the chart of each reason, by the content that changed or is missing", () => {
  const of = <Code extends ReasonCode>(code: Code, more?: Partial<ReasonOf<Code>>) =>
    chartOf(sampleReason(code, more));
  assertEquals([of("overdue"), of("late"), of("stuck")], ["days", "starts", "duration"]);
  assertEquals(of("size-jump", { field: "emailSize" }), "email");
  assertEquals(of("empty-delivery", { gone: ["cardCount"] }), "cards");
  assertEquals(
    of("empty-delivery", { gone: ["attachmentCount", "attachmentSize"] }),
    "attachments",
  );
  assertEquals(of("clock"), null);
});

function valuesOf(runs: readonly ReportRun[], name: typeof CHART_NAMES[number], zone = "UTC") {
  return htmlOf(
    <ValueChart
      measure={measureOf(name as "duration", [])}
      runs={runs}
      unusual={new Set([2])}
      scheduleId={1}
      dictionary={dictionary}
    />,
    zone,
  );
}

/** The labels at the left of a chart, from below. */
function axisOf(html: string): string[] {
  const labels = [...html.matchAll(/<text class="left"[^>]*y="([\d.]+)"[^>]*>([^<]*)</g)];
  return labels.sort((a, b) => Number(b[1]) - Number(a[1])).map(([, , text]) => text);
}

Deno.test("ValueChart: has round values on the axis, logarithmic only if values differ much", () => {
  const durations = (...seconds: number[]) =>
    valuesOf(taking(...seconds.map((each) => each * 1000)), "duration");
  assertEquals(axisOf(durations(60, 120, 180)), ["1 min", "2 min", "3 min"]);
  assertEquals(axisOf(durations(26, 38, 50)), ["10 s", "20 s", "30 s", "40 s", "50 s"]);
  const far = durations(60, 120, 7200);
  assertEquals(axisOf(far), ["1 min", "5 min", "20 min", "1 h"]);
  assert(textsOf(far, "figcaption")[0].endsWith("Logarithmic scale."));
  assert(!textsOf(durations(60, 480), "figcaption")[0].endsWith("Logarithmic scale."));
  const sized = (...sizes: number[]) =>
    taking(...sizes).map((run) => ({ ...run, attachmentSize: sizes[run.id - 1] }));
  assertEquals(axisOf(valuesOf(sized(1000, 2600), "attachments")), [
    "500 bytes",
    "1 KB",
    "1.5 KB",
    "2 KB",
    "2.5 KB",
  ]);
  // What failed runs delivered does not squeeze the others.
  const [failed, ...others] = sized(40_000, 41_000, 0);
  const html = valuesOf([{ ...failed, status: "failure" }, ...others], "attachments");
  assertEquals(axisOf(html), ["10 KB", "20 KB", "30 KB", "40 KB"]);
});

Deno.test("ValueChart: links at most forty unusual or failed runs", () => {
  const html = valuesOf(taking(60_000, 120_000, 180_000), "duration");
  assertMatch(html, /median 2 min/);
  assertEquals(linksOf(html), {
    "Skip chart": "#values-end",
    "2026-01-06 06:00 UTC, success, 2 min, unusual": "/schedules/1/runs/2",
  });
  const runs = daily(...Array.from({ length: 50 }, () => "failure"));
  const failures = valuesOf(runs, "duration");
  const links = Object.values(linksOf(failures)).slice(1);
  assertEquals(links, runs.slice(0, 40).reverse().map(({ id }) => `/schedules/1/runs/${id}`));
  const [, earlier] = failures.match(/<path class="bad" d="([^"]*)"/)!;
  assert(earlier.match(/M/g)!.length >= 10);
});

Deno.test("ValueChart: draws the newest two hundred, days along the bottom in the zone", () => {
  const captionOf = (runs: readonly ReportRun[]) =>
    textsOf(valuesOf(runs, "duration"), "figcaption")[0];
  assertMatch(captionOf(taking(...Array(201).fill(1000))), /^The latest 200 runs\./);
  assertMatch(captionOf(taking(1000, -1, 1000)), /^The latest 2 runs\./);
  assertEquals(valuesOf([{ id: 1, startTime: new Date(FIRST).toISOString() }], "duration"), "");
  const html = valuesOf(taking(1000, 1000, 1000, 1000), "duration", "Asia/Tokyo");
  const days = [...html.matchAll(/<text x="[^"]*" y="170"[^>]*>([^<]*)</g)].map(([, day]) => day);
  assert(days.length > 0 && days.every((day) => /^2026-01-0\d$/.test(day)), String(days));
});
