import { assertEquals, assertMatch } from "@std/assert";
import { PlannedChart } from "../../../../components/runs/charts/planned_chart.tsx";
import { DAY, HOUR } from "../../../../lib/time_units.ts";
import { htmlOf, linksOf, textOf } from "../../rendered.ts";

const NOW = Date.UTC(2026, 10, 23, 7);
const runs = [1, 2, 3].map((id) => ({
  id,
  startTime: new Date(NOW - id * DAY).toISOString(),
  endTime: new Date(NOW - id * DAY + id * HOUR).toISOString(),
}));
const planned = runs.map(({ id }) => ({
  at: NOW - id * DAY,
  outcome: id === 1 ? "failed" as const : "met" as const,
  run: id,
})).toReversed();

Deno.test("PlannedChart: shows results with links to failures, or a measure as bars", () => {
  const chart = (name?: "duration") =>
    htmlOf(
      <PlannedChart
        verdict={{ planned, runs }}
        view={{ body: {}, ...(name && { chart: name }) }}
        scheduleId={101}
        now={NOW}
      />,
    );
  const results = chart();
  assertMatch(textOf(results), /Planned runs last 3/);
  assertMatch(results, /href="\/schedules\/101\/runs\/1" aria-label="failed, 2026-11-22/);
  assertEquals(linksOf(results)["Duration"], "?chart=duration#planned-runs");
  assertMatch(chart("duration"), /Duration of the last planned runs, at most 3 h/);
  assertEquals(chart("duration").match(/v-20h6v20z/g)?.length, 1);
});
