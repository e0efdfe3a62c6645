import { assertEquals } from "@std/assert";
import { latestSlots } from "../../../lib/judgement/latest_slots.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";

const DAY = 86_400_000;
const FIRST = Date.UTC(2026, 0, 5, 6);
const PLAN = { cron: ["0 6 * * *"], zone: "UTC", graceMs: 600_000, since: 0 };
const options = { now: FIRST + 10 * DAY + 60_000, statuses: defaultStatusDictionary(), count: 5 };

function runAt(id: number, start: number) {
  return { id, status: "success", automated: true, startTime: new Date(start).toISOString() };
}

Deno.test("latestSlots: the newest first, each with what matched it", () => {
  const runs = Array.from({ length: 10 }, (_, day) => runAt(day, FIRST + day * DAY + 1000))
    .filter(({ id }) => id !== 7)
    .map((run) => run.id === 8 ? runAt(8, FIRST + 8 * DAY + 1_200_000) : run);
  const slots = latestSlots(runs, PLAN, options);
  assertEquals(
    slots.map(({ at, outcome, occurrence }) => [
      (at - FIRST) / DAY,
      outcome,
      occurrence?.runs[0].id ?? null,
    ]),
    [[10, "due", null], [9, "met", 9], [8, "late", 8], [7, "missed", null], [6, "met", 6]],
  );
});

Deno.test("latestSlots: slots before the plan was valid are compared too, and none without a run", () => {
  const runs = [runAt(1, FIRST + 8 * DAY), runAt(2, FIRST + 9 * DAY)];
  const slots = latestSlots(runs, { ...PLAN, since: FIRST + 9 * DAY }, options);
  assertEquals(slots.slice(0, 3).map(({ outcome }) => outcome), ["due", "met", "met"]);
  assertEquals(latestSlots([], PLAN, options), []);
});
