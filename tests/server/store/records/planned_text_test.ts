import { assert, assertEquals } from "@std/assert";
import { HOUR } from "../../../../lib/time_units.ts";
import type { PlannedOutcome } from "../../../../lib/judgement/judge_schedule.ts";
import {
  latestPlanned,
  plannedText,
  readPlanned,
} from "../../../../server/store/records/planned_text.ts";

const NOW = Date.UTC(2026, 10, 23, 7);

const OUTCOMES: readonly PlannedOutcome[] = [
  ..."met late failed other missed overdue by-hand excused due extra extra-failed".split(" "),
] as PlannedOutcome[];

Deno.test("plannedText: reads back as it was written, in few characters", () => {
  const planned = OUTCOMES.map((outcome, hour) => ({ at: NOW + hour * HOUR, outcome, run: null }));
  const text = plannedText(planned);
  assertEquals(readPlanned(text), planned);
  assertEquals(readPlanned(text, NOW + HOUR, NOW + 3 * HOUR), planned.slice(1, 3));
  assert(text.length < 45, text);
  assertEquals([plannedText([]), readPlanned("")], ["", []]);
});

Deno.test("latestPlanned: the last 20 that were due, with those that nobody planned among them", () => {
  const hours = Array.from({ length: 40 }, (_, hour) => ({
    at: NOW + (hour - 35) * HOUR,
    outcome: (hour === 30 ? "extra" : "met") as PlannedOutcome,
    run: null,
  }));
  const latest = latestPlanned(hours, NOW);
  assertEquals([latest[0].at, latest.at(-1)!.at], [NOW - 20 * HOUR, NOW]);
  assertEquals(latest.filter(({ outcome }) => outcome === "met").length, 20);
  assertEquals(latestPlanned(hours.slice(0, 4), NOW).length, 4);
});
