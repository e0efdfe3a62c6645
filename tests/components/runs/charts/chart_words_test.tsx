import { assert, assertEquals, assertMatch } from "@std/assert";
import { Calendar } from "../../../../components/runs/charts/calendar.tsx";
import { DurationChart } from "../../../../components/runs/charts/duration_chart.tsx";
import { RecipientChart } from "../../../../components/runs/charts/recipient_chart.tsx";
import { measureDurations } from "../../../../lib/runs/durations.ts";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { htmlOf, linksOf, textOf, textsOf } from "../../rendered.ts";
import { DAY, FIRST, taking } from "./runs.ts";

const dictionary = defaultStatusDictionary();

function sentTo(...counts: number[]): ReportRun[] {
  const runs = taking(...counts.map(() => 1000));
  return runs.map((run) => ({ ...run, recipientCount: counts[run.id - 1] }));
}

function recipients(runs: readonly ReportRun[]): string {
  return htmlOf(<RecipientChart runs={runs} scheduleId={1} dictionary={dictionary} />);
}

Deno.test("RecipientChart: what never changed is a line of text and no chart", () => {
  assertEquals(
    textsOf(recipients(sentTo(6, 6, 6)), "p"),
    ["6 recipients in each of 3 runs with a recipient count."],
  );
  assertEquals(
    textsOf(recipients(sentTo(1)), "p"),
    ["1 recipient in the only run with a recipient count."],
  );
  assert(!recipients(sentTo(6, 6)).includes("<svg"));
  assert(recipients(sentTo(6, 7)).includes("<svg"));
});

Deno.test("RecipientChart: of many changes the newest are points, and it says so", () => {
  const counts = Array.from({ length: 122 }, (_, at) => 5 + at % 2);
  const captionOf = (count: number) =>
    textsOf(recipients(sentTo(...counts.slice(0, count))), "figcaption")[0];
  assert(captionOf(120).endsWith("the first and the latest run, and every change."));
  assert(captionOf(121).endsWith("the first and the latest run, and the latest 120 changes."));
  assertEquals(Object.keys(linksOf(recipients(sentTo(...counts)))).length, 120 + 1);
});

Deno.test("RecipientChart: the axis counts from none in whole recipients", () => {
  const html = recipients(sentTo(3, 3, 5, 5));
  assertEquals(axisOf(html), ["0", "1", "2", "3", "4", "5"]);
  assertEquals(Object.keys(linksOf(html)), [
    "Skip chart",
    "2026-01-05 06:00 UTC, success, 3 recipients",
    "2026-01-07 06:00 UTC, success, 5 recipients",
    "2026-01-08 06:00 UTC, success, 5 recipients",
  ]);
  assertEquals(textsOf(html, "h2"), ["Recipients over time"]);
});

/** The labels at the left of a chart, from below. */
function axisOf(html: string): string[] {
  const labels = [...html.matchAll(/<text class="left"[^>]*y="([\d.]+)"[^>]*>([^<]*)</g)];
  return labels.sort((a, b) => Number(b[1]) - Number(a[1])).map(([, , text]) => text);
}

function durations(runs: readonly ReportRun[], zone?: string): string {
  return htmlOf(
    <DurationChart
      runs={runs}
      durations={measureDurations(runs)}
      scheduleId={1}
      dictionary={dictionary}
    />,
    zone,
  );
}

Deno.test("DurationChart: round durations on the axis, logarithmic only where they differ much", () => {
  const near = durations(taking(60_000, 120_000, 180_000));
  assertEquals(axisOf(near), ["1 min", "2 min", "3 min"]);
  const seconds = durations(taking(26_000, 38_000, 50_000));
  assertEquals(axisOf(seconds), ["10 s", "20 s", "30 s", "40 s", "50 s"]);
  assert(!textOf(near).includes("Logarithmic"));
  const far = durations(taking(60_000, 120_000, 7_200_000));
  assertEquals(axisOf(far), [
    "1 min",
    "2 min",
    "5 min",
    "10 min",
    "20 min",
    "30 min",
    "1 h",
    "2 h",
  ]);
  assert(textsOf(far, "figcaption")[0].endsWith("Logarithmic scale."));
});

Deno.test("DurationChart: longer runs stand higher, and lines name the median and p95", () => {
  const html = durations(taking(60_000, 120_000, 180_000));
  const [, dots] = html.match(/<path class="good dots" d="([^"]*)"/)!;
  const heights = [...dots.matchAll(/M[\d.]+ ([\d.]+)h0/g)].map(([, y]) => Number(y));
  assert(heights[0] > heights[1] && heights[1] > heights[2], String(heights));
  assertMatch(html, /p50 2 min/);
  assertMatch(html, /class="level p95"/);
  assertEquals(linksOf(html), { "Skip chart": "#durations-end" });
});

Deno.test("DurationChart: draws the newest two hundred, and no run that ended before it began", () => {
  const captionOf = (runs: readonly ReportRun[]) => textsOf(durations(runs), "figcaption")[0];
  assertMatch(captionOf(taking(...Array(201).fill(1000))), /^The latest 200 runs with a duration/);
  assertMatch(captionOf(taking(1000, -1, 1000)), /^The latest 2 runs with a duration/);
  assertEquals(durations([{ id: 1, startTime: new Date(FIRST).toISOString() }]), "");
});

Deno.test("DurationChart: days along the bottom are those of the zone", () => {
  const html = durations(taking(1000, 1000, 1000, 1000), "Asia/Tokyo");
  const days = [...html.matchAll(/<text x="[^"]*" y="210"[^>]*>([^<]*)</g)].map(([, day]) => day);
  assert(days.length > 0 && days.every((day) => /^2026-01-0\d$/.test(day)), String(days));
  assert(!days.includes("2026-01-05"), "that day began before the first run");
});

function calendarOf(...statuses: (string | undefined)[]) {
  const runs = statuses.flatMap((status, at) =>
    status === undefined
      ? []
      : [{ id: at + 1, status, startTime: new Date(FIRST + at * DAY).toISOString() }]
  ).reverse();
  return { runs, schedule: null, dictionary };
}

Deno.test("Calendar: names months above their first days, and says how each day is drawn", () => {
  const html = htmlOf(<Calendar {...calendarOf("success")} scheduleId={1} />, "Europe/Berlin");
  const months = [...html.matchAll(/<text class="start"[^>]*>([^<]*)</g)].map(([, name]) => name);
  assertEquals(months, ["2025-08", "2025-09", "2025-10", "2025-11", "2025-12", "2026-01"]);
  assertEquals(textsOf(html, "figcaption"), [
    "The last 26 weeks, days in Berlin time. Solid: all successful; crossed: all failed; " +
    "split: the lower part failed; diamond: another status; empty: no run.",
  ]);
  assertEquals(textsOf(html, "title"), [
    "1 day with successful runs only",
    "175 days without a run",
  ]);
});

Deno.test("Calendar: a bad, a good and an odd day have shapes of their own", () => {
  const html = htmlOf(
    <Calendar {...calendarOf("failure", "paused", "success")} scheduleId={1} />,
  );
  const shapes = [...html.matchAll(/<path class="(bad|neutral|good days)" d="([^"]*)"/g)]
    .map(([, kind, path]) => [kind, path.match(/z/g)?.length ?? 0]);
  assertEquals(shapes, [["good days", 0], ["bad", 4], ["neutral", 1]]);
});
