/** What is worth knowing when a schedule is added: whether it can be read, and fits its plan. */
import { formatDuration } from "../../../lib/format.ts";
import { describePlan } from "../../../lib/runs/plans/describe.ts";
import { inferPlan } from "../../../lib/runs/plans/infer.ts";
import { endOfGrace, matchSlots } from "../../../lib/runs/plans/match.ts";
import { cutGrace, type Plan, planSlots } from "../../../lib/runs/plans/plan.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";
import type { Settings } from "../../config/settings.ts";
import { isProblemError } from "../../http/problem.ts";
import { whyNotObserved } from "../service_observer.ts";
import type { TaskService } from "./task_records.ts";

/** The plan is compared with at most this many of the newest runs. */
const COMPARED_RUNS = 50;
/** With fewer runs, nothing is said. */
const FEWEST_RUNS = 5;
/** No run of a plan that fits is further from a slot. */
const DAY = 24 * 3_600_000;
/** As far ahead, slots may cut the grace. */
const COMING_MS = 31 * DAY;

/** Sentences to warn with, if any. */
export async function watchWarnings(
  service: TaskService,
  { settings, scheduleId, plan, now }: {
    readonly settings: Settings;
    readonly scheduleId: number;
    /** The plan that was given, if any. */
    readonly plan: Plan | null;
    readonly now: number;
  },
): Promise<string[]> {
  const warnings: (string | null)[] = [plan && tooLongGrace(plan, now)];
  const reason = whyNotObserved(settings, service);
  if (reason !== null) {
    warnings.push(`Schedule ${scheduleId} will not be looked at. ${reason}`);
  } else {
    const runs = await newestRuns(service, scheduleId);
    if (runs === null) warnings.push(`The service has no schedule ${scheduleId}`);
    else warnings.push(plan && misfit(plan, runs, now));
  }
  return warnings.filter((words) => words !== null);
}

/** That the next run is due before the grace would end. */
function tooLongGrace(plan: Plan, now: number): string | null {
  const cut = cutGrace(plan, planSlots(plan, now, now + COMING_MS));
  return cut === null ? null : `The grace of ${formatDuration(plan.graceMs)} is cut to ` +
    `${formatDuration(cut)}: it has to end before the next run is due`;
}

/** The newest runs: of the embedded service, or the copies; null if there is no such schedule. */
async function newestRuns(
  { store, records }: TaskService,
  scheduleId: number,
): Promise<readonly ReportRun[] | null> {
  if (!store) return (await records.runs.newest(scheduleId, COMPARED_RUNS)).map(({ run }) => run);
  try {
    return await store.reportSchedules.history(scheduleId, { limit: COMPARED_RUNS });
  } catch (error) {
    if (isProblemError(error) && error.problem.status === 404) return null;
    throw error;
  }
}

/** That fewer than half of the runs started when the plan says, and when they seem to be due. */
function misfit(plan: Plan, runs: readonly ReportRun[], now: number): string | null {
  const times = runs.filter(({ automated }) => automated !== false)
    .map(({ startTime }) => timeOf(startTime))
    .filter((time) => time !== undefined)
    .sort((a, b) => a - b);
  if (times.length < FEWEST_RUNS) return null;
  const slots = planSlots({ ...plan, since: 0 }, times[0] - DAY, times[times.length - 1] + DAY);
  const slotOf = matchSlots(slots, times);
  const fitting = times.filter((time, run) => {
    const slot = slots[slotOf[run]];
    return slot !== undefined &&
      time <= endOfGrace(plan.graceMs, slot, slots[slotOf[run] + 1] ?? null);
  });
  if (fitting.length >= times.length / 2) return null;
  const seeming = inferPlan(runs, { now });
  const newest = `the newest ${times.length} runs`;
  const few = fitting.length === 0 ? `None of ${newest}` : `Of ${newest}, only ${fitting.length}`;
  return `Does the plan fit? ${few} started when the plan says (${describePlan(plan)})` +
    (seeming ? `; the runs look like ${describePlan(seeming)}` : "");
}
