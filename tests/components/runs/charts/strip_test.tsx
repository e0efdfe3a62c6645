import { assertEquals, assertMatch } from "@std/assert";
import { Strip } from "../../../../components/runs/charts/strip.tsx";
import { DAY } from "../../../../lib/time_units.ts";
import type { PlannedOutcome, PlannedRun } from "../../../../lib/judgement/planned_runs.ts";
import { htmlOf, textsOf } from "../../rendered.ts";

const FIRST = Date.UTC(2026, 10, 1, 23, 30);

function daily(...outcomes: PlannedOutcome[]): PlannedRun[] {
  return outcomes.map((outcome, day) => ({ at: FIRST + day * DAY, outcome, run: day + 1 }));
}

Deno.test("Strip: equal marks in a row are one path, in the zone of the reader", () => {
  const planned = daily("met", "met", "met", "failed", "failed");
  const html = htmlOf(<Strip planned={planned} />, "Europe/Berlin");
  assertEquals(textsOf(html, "title"), [
    "3 on time, 2026-11-02 00:30 to 2026-11-04 00:30",
    "2 failed, 2026-11-05 00:30 to 2026-11-06 00:30",
  ]);
  assertMatch(html, /aria-label="Planned runs, newest last: 3 on time, 2 failed"/);
});

Deno.test("Strip: says if nothing ran yet", () => {
  assertEquals(textsOf(htmlOf(<Strip planned={[]} />), "span"), ["no runs yet"]);
});
