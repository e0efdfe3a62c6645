/** Warnings when a schedule is added: it can't be read, or its runs don't fit its plan. */
import { formatDuration } from "../../../lib/format.ts";
import { cutGrace, type Plan, planSlots } from "../../../lib/judgement/plans/plan.ts";
import { COMPARED_RUNS, misfit } from "../../schedules/plan_fit.ts";
import { whyNotObserved } from "../service_observer.ts";
import { newestRuns, type TaskService } from "./task_records.ts";

/** How far ahead the plan is searched for runs that cut the grace. */
const COMING_MS = 31 * 24 * 3_600_000;

/** Warnings as sentences. */
export async function watchWarnings(
  service: TaskService,
  { scheduleId, plan, now }: {
    readonly scheduleId: number;
    /** The plan that was given, if any. */
    readonly plan: Plan | null;
    readonly now: number;
  },
): Promise<string[]> {
  const warnings: (string | null)[] = [plan && tooLongGrace(plan, now)];
  const reason = whyNotObserved(service);
  if (reason !== null) {
    warnings.push(`Schedule ${scheduleId} will not be watched. ${reason}`);
  } else {
    const runs = await newestRuns(service, scheduleId, COMPARED_RUNS);
    warnings.push(
      runs === null
        ? `The service has no schedule ${scheduleId} so far. If the id is wrong: ` +
          `deno task watch remove ${scheduleId}`
        : plan && misfit(plan, runs, now),
    );
  }
  return warnings.filter((words) => words !== null);
}

/** A warning if the next run is due before the grace ends. */
function tooLongGrace(plan: Plan, now: number): string | null {
  const cut = cutGrace(plan, planSlots(plan, now, now + COMING_MS));
  return cut === null ? null : `The grace of ${formatDuration(plan.graceMs)} is cut to ` +
    `${formatDuration(cut)}: it has to end before the next run is due`;
}
