import { assert, assertEquals, assertMatch } from "@std/assert";
import { Calendar } from "../../../../components/runs/charts/calendar.tsx";
import { DAY } from "../../../../lib/time_units.ts";
import type { JudgedPlan } from "../../../../lib/judgement/judge_schedule.ts";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import { htmlOf, linksOf, textsOf } from "../../rendered.ts";
import { daily, FIRST } from "./runs.ts";

const dictionary = defaultStatusDictionary();

function verdictOf(missed: string[], source: JudgedPlan["source"] = "inferred") {
  const schedule: JudgedPlan = {
    plan: { cron: ["0 6 * * *"], zone: "UTC", graceMs: 300_000, since: FIRST },
    source,
    missed: missed.map((day) => ({ at: Date.parse(`${day}T06:00:00Z`), id: day })),
    overdue: [],
    late: [],
    next: null,
    sees: { since: FIRST, enough: true },
    counts: { missed: missed.length, overdue: 0 },
  };
  return { schedule, planned: [] };
}

Deno.test("Calendar: days with problems are links and say what ran", () => {
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
      verdict={verdictOf(["2026-01-06", "2026-01-04"])}
      scheduleId={101}
      dictionary={dictionary}
    />,
  );
  assertEquals(linksOf(html), {
    "Skip chart": "#calendar-end",
    "2026-01-05, 1 run: 1 failure, failed": "/schedules/101/runs/6",
    "2026-01-06, 2 runs: 1 paused, 1 success, 1 missed (inferred)":
      "/schedules/101?q=started:2026-01-06#runs",
  });
  assertEquals(textsOf(html, "title"), [
    "1 day with successful runs only",
    "2026-01-04, 1 missed (inferred)",
    "2026-01-05, 1 run: 1 failure, failed",
    "2026-01-06, 2 runs: 1 paused, 1 success, 1 missed (inferred)",
  ]);
});

Deno.test("Calendar: links only the newest forty days with problems", () => {
  const runs = daily(...Array.from({ length: 60 }, () => "failure"));
  const html = htmlOf(
    <Calendar runs={runs} verdict={null} scheduleId={1} dictionary={dictionary} />,
  );
  const links = Object.values(linksOf(html)).slice(1);
  assertEquals(links, runs.slice(0, 40).reverse().map(({ id }) => `/schedules/1/runs/${id}`));
  assert(textsOf(html, "title").includes("20 earlier days with problems"));
});

Deno.test("Calendar: marks an incident on the day it opened", () => {
  const html = htmlOf(
    <Calendar
      runs={daily("success", "success")}
      verdict={null}
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
  // The sixth of January is a Tuesday, on the second line.
  assertMatch(html, /class="good" d="M336 20[^"]+M336 42/);
  assertMatch(textsOf(html, "figcaption")[0], /; corner: an incident opened\.$/);
});

Deno.test("Calendar: names missed runs by the source of the plan", () => {
  const html = htmlOf(
    <Calendar
      runs={daily("success")}
      verdict={verdictOf(["2026-01-04"], "confirmed")}
      scheduleId={101}
      dictionary={dictionary}
    />,
  );
  assert(textsOf(html, "title").includes("2026-01-04, 1 missed (confirmed plan)"));
});

Deno.test("Calendar: days are those of the reader's zone", () => {
  const late = [{ id: 1, status: "failure", startTime: "2026-01-05T23:30:00Z" }];
  const html = (zone: string) =>
    htmlOf(<Calendar runs={late} verdict={null} scheduleId={1} dictionary={dictionary} />, zone);
  assertEquals("2026-01-05, 1 run: 1 failure, failed" in linksOf(html("UTC")), true);
  assertEquals("2026-01-06, 1 run: 1 failure, failed" in linksOf(html("Europe/Berlin")), true);
});

Deno.test("Calendar: is empty without a run that has a start", () => {
  assertEquals(
    htmlOf(<Calendar runs={[{ id: 1 }]} verdict={null} scheduleId={1} dictionary={dictionary} />),
    "",
  );
});
