/** What charts draw, to the pixel, so that a change of a drawing is read as a diff. */
import type { VNode } from "preact";
import { Calendar } from "../../../../components/runs/charts/calendar.tsx";
import { measureOf } from "../../../../components/runs/charts/measures.ts";
import {
  outcomesIn,
  PLANNED_MARKS,
  Strip,
  StripLegend,
} from "../../../../components/runs/charts/strip.tsx";
import { type ChartedChange, ValueChart } from "../../../../components/runs/charts/value_chart.tsx";
import { DayLine } from "../../../../components/runs/overview/day_line.tsx";
import type { MarkOfDay } from "../../../../components/runs/overview/day_summary.ts";
import { DAY } from "../../../../lib/time_units.ts";
import type { PlannedOutcome } from "../../../../lib/judgement/planned_runs.ts";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import { assertStored } from "../../../stored_text.ts";
import { htmlOf } from "../../rendered.ts";
import { daily, FIRST, taking } from "./runs.ts";

const dictionary = defaultStatusDictionary();
const OUTCOMES = Object.keys(PLANNED_MARKS) as PlannedOutcome[];

async function assertDrawn(name: string, ...drawings: readonly VNode[]): Promise<void> {
  const html = drawings.map((drawing) => htmlOf(drawing)).join("\n");
  const file = new URL(`drawings/${name}.txt`, import.meta.url);
  await assertStored(`${html.replaceAll("><", ">\n<")}\n`, file, name);
}

Deno.test("Strip: draws each mark in its place, and StripLegend each on its own", async () => {
  // Two failures in a row are two links.
  const planned = [...OUTCOMES, OUTCOMES.at(-1)!]
    .map((outcome, day) => ({ at: FIRST + day * DAY, outcome, run: day }));
  const alone = <Strip planned={planned.slice(0, 2)} />;
  await assertDrawn("strip", <Strip planned={planned} scheduleId={7} />, alone, <StripLegend />);
  const schedule = { missed: [{}], overdue: [{}], late: [{}] } as never;
  const some = outcomesIn({ schedule, planned: [] }, daily("success", "failure"), dictionary);
  await assertDrawn("legend_of_some", <StripLegend outcomes={some} />);
});

Deno.test("Calendar: draws days, months and opened incidents in their places", async () => {
  const runs = daily(...Array.from({ length: 70 }, (_, day) => day % 3 ? "success" : "failure"));
  const planned = OUTCOMES.map((outcome, day) => ({ at: FIRST + day * DAY, outcome, run: null }));
  const incidents = [{ id: "a", summary: "1 run failed", opened: FIRST + 3 * DAY }];
  const props = { runs, scheduleId: 7, dictionary, incidents };
  await assertDrawn("calendar", <Calendar {...props} verdict={{ schedule: null, planned }} />);
});

Deno.test("ValueChart: draws values, levels, changes and axes in their places", async () => {
  const common = { scheduleId: 7, dictionary, unusual: new Set([2, 4]) };
  const change: ChartedChange = { at: FIRST + 3 * DAY, words: "8 Jan: slower", tone: "bad" };
  const runs = taking(60_000, 90_000, 80_000, 200_000, 240_000).map((run) => ({
    ...run,
    status: run.id === 5 ? "failure" : run.id === 3 ? "paused" : "success",
    cardCount: run.id < 3 ? 4 : 6,
  }));
  const measure = measureOf("duration", []);
  const level = { name: "grace", value: 3_000_000 };
  await assertDrawn(
    "values",
    <ValueChart {...common} measure={measure} runs={runs} change={{ ...change, before: 75_000 }} />,
    <ValueChart {...common} measure={measure} runs={runs} level={level} note="A note." />,
    <ValueChart
      {...common}
      measure={measureOf("cards", [])}
      runs={runs}
      change={{ ...change, at: FIRST + 4 * DAY, words: "9 Jan: 6 cards instead of 4" }}
    />,
  );
});

Deno.test("DayLine: draws marks, names and the present in their places", async () => {
  const [HOUR, QUARTER] = [3_600_000, 900_000];
  const day = { from: FIRST, to: FIRST + DAY, now: FIRST + 7 * HOUR, people: 0, isExact: true };
  const marks = (count: number) =>
    Array.from({ length: count }, (_, at): MarkOfDay => ({
      at: FIRST + (at * 31 % 96) * QUARTER,
      outcome: OUTCOMES[at % OUTCOMES.length],
      name: `Report ${at}`,
      scheduleId: at,
      ...(at % 5 === 0 && { flaw: "outside" }),
    })).sort((a, b) => a.at - b.at);
  // More than five in a quarter of an hour fold; of more than twelve that went wrong, none is named.
  const many = [...marks(13), ...Array.from({ length: 60 }, () => marks(2)[1])];
  const wrong = Array.from(
    { length: 13 },
    (): MarkOfDay => ({ ...marks(1)[0], outcome: "failed" }),
  );
  await assertDrawn(
    "day",
    <DayLine summary={{ ...day, marks: marks(13) }} />,
    <DayLine summary={{ ...day, marks: many }} />,
    <DayLine summary={{ ...day, now: FIRST + 20 * HOUR, marks: wrong }} />,
  );
});
