import { assert, assertEquals } from "@std/assert";
import type { Plan } from "../../../lib/judgement/plans/plan.ts";
import { reasonText } from "../../../lib/judgement/reason_text.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import type { ReportRun } from "../../../lib/types.ts";
import type { JudgeQuestion } from "../../../server/observer/judging/judging_questions.ts";
import { shownVerdict } from "../../../server/observer/shown_verdict.ts";
import { NO_LAG, type StoredVerdict } from "../../../server/store/records/verdicts.ts";
import { judgeAt, momentsFrom, runsAt } from "../../lib/judgement/runs_at.ts";
import { HOURLY, judged, START } from "./world.ts";

const PLAN: Plan = { ...HOURLY, cron: ["0 6 * * *"] };
const SIX = START + 6 * HOUR;
/** How long runs take; the service lists one when it has ended. */
const LASTS = 15 * MINUTE;

/** Good runs at six of some days, until the day before the start. */
const runsOf = (days: number) => runsAt(momentsFrom(SIX - days * DAY, days), LASTS);

/** What is stored of runs that were judged then; and what a page shows, by default at that time. */
function judge(
  runs: readonly ReportRun[],
  now: number,
  { plan = PLAN, ...more }: { plan?: Plan } & Partial<Pick<JudgeQuestion, "pauses" | "lag">> = {},
) {
  const options = { plans: [plan], pauses: [], statuses: defaultStatusDictionary(), ...more };
  const { details, ...rest } = judged({ runs: JSON.stringify(runs), now, ...options });
  const stored: StoredVerdict = { scheduleId: 1, ...rest, details: { ...details, lag: NO_LAG } };
  /** The page may know of no confirmed plan. */
  const shown = (at = now, plans: readonly Plan[] = [plan]) => {
    const page = { ...options, plans, listingDelayMs: details.waitsMs };
    return shownVerdict(judgeAt(at, runs, page), stored);
  };
  return { stored, shown };
}

Deno.test("shownVerdict: lists all overdue runs, though only some are stored", () => {
  const { stored, shown } = judge(runsOf(20), START + 70 * DAY);
  const { planned, schedule } = shown();
  assertEquals(stored.details.overdue.length, 50);
  assertEquals([schedule?.overdue.length, schedule?.counts.overdue], [70, 70]);
  assertEquals(new Set(planned.map(({ outcome }) => outcome)), new Set(["overdue"]));
});

Deno.test("shownVerdict: says what is due, whatever plan the page infers", () => {
  const plan = { ...PLAN, graceMs: 10 * HOUR };
  const { shown } = judge(runsOf(20), SIX + 3 * MINUTE, { plan });
  const now = START + 15 * HOUR;
  const verdict = shown(now, []);
  const { state, headline, reasons, planned } = verdict;
  const late = "due Tue 10 Mar 06:00 UTC, not started yet";
  assertEquals(reasons.map((one) => reasonText(one)), [late]);
  assertEquals([state, headline, planned.at(-1)?.outcome], ["late", "late", "due"]);
});

Deno.test("shownVerdict: counts all missed runs of the stored plan, and has it while paused, too", () => {
  const plan = { ...PLAN, cron: ["0 6,18 * * *"] };
  const { stored, shown } = judge(runsOf(100), START, { plan });
  const { schedule } = shown(START, []);
  assertEquals([schedule?.source, stored.details.missed.length], ["confirmed", 50]);
  assertEquals(schedule?.counts, shown().schedule?.counts);
  assert(schedule!.counts.missed > 50);
  // Whatever the page infers.
  const paused = judge(runsOf(100), START, { plan, pauses: [{ from: START, to: null }] });
  const during = paused.shown(START, [{ ...plan, zone: "Europe/Berlin" }]).schedule;
  assertEquals([during?.next, during?.plan], [null, paused.stored.details.plan as Plan]);
});
