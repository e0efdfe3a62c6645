/** The page of a run: what became of it, beside the run that it is compared with. */
import { formatCount, wholeNumber } from "../../lib/format.ts";
import { latestSlots } from "../../lib/judgement/slots.ts";
import type { LoadedRuns } from "../../lib/runs/load_runs.ts";
import { meaningOfRun } from "../../lib/runs/status.ts";
import { timeOf } from "../../lib/runs/times.ts";
import type { ReportRun } from "../../lib/types.ts";
import { ProblemError } from "../http/problem.ts";
import type { PageState, ScheduleRequest } from "./page_request.ts";
import { judgeForPage, loadSchedule, type ScheduleRuns } from "./schedule.ts";

const ID_RULE = `a whole number of at most ${Number.MAX_SAFE_INTEGER}`;
const MAX_RUNS = 10_000;
/** How many planned runs to search for the one that the run belongs to. */
const SLOTS = 1000;

/** A run, and the one to compare it with: the last success, or else the run before. */
export async function loadRun(ctx: ScheduleRequest, id: string) {
  const { statuses } = ctx.state;
  const runId = wholeNumber(id);
  if (runId === null) throw new ProblemError(404, `A run id is ${ID_RULE}`);
  let schedule = await loadSchedule(ctx);
  const isLoaded = schedule.loaded.runs.some((run) => run.id === runId);
  if (schedule.loaded.stopped === "enough" && !isLoaded) {
    schedule = await loadSchedule(ctx, MAX_RUNS);
  }
  const { scheduleId, name, loaded } = schedule;
  const { runs } = loaded;
  const run = runs.find(({ id }) => id === runId);
  if (!run) throw new ProblemError(404, missingMessage(scheduleId, runId, loaded));
  // Nobody knows what was before and after a run without a start.
  const started = runs.filter(({ startTime }) => timeOf(startTime) !== undefined);
  const index = started.indexOf(run);
  const earlier = index < 0 ? [] : started.slice(index + 1);
  const isGood = (each: typeof run) => meaningOfRun(each, statuses) === "good";
  const before = earlier.at(0) ?? null;
  const lastGood = earlier.find(isGood) ?? null;
  const isAfterSuccess = lastGood !== null && !isGood(run);
  const older = isAfterSuccess ? lastGood : before;
  return {
    scheduleId,
    name,
    outage: schedule.outage,
    run,
    meaning: meaningOfRun(run, statuses),
    before,
    after: started[index - 1] ?? null,
    newest: runs[0],
    due: await findPlannedRun(ctx.state, schedule, run),
    compared: older && {
      runs: [older, run] as const,
      names: [isAfterSuccess ? "Last success" : "Earlier run", "This run"] as const,
    },
  };
}

/** The planned run that a run belongs to, by the plan that held when it started. */
async function findPlannedRun(state: PageState, shown: ScheduleRuns, run: ReportRun) {
  const { verdict: { schedule }, now } = await judgeForPage(state, shown);
  if (!schedule) return null;
  const { loaded, settings: { plans } } = shown;
  const start = timeOf(run.startTime) ?? now;
  const index = plans.findLastIndex(({ since }) => since <= start);
  const plan = plans[index] ?? schedule.plan;
  const from = index > 0 ? plan.since : plan.since - plan.graceMs;
  const until = Math.min(now, (plans[index + 1]?.since ?? Infinity) - 1);
  const slot = latestSlots(loaded.runs, plan, {
    now: until,
    statuses: state.statuses,
    count: SLOTS,
  })
    .find(({ at, runs }) => at >= from && runs.some((each) => each.run.id === run.id));
  return slot ? { slot, schedule: { ...schedule, plan } } : null;
}

function missingMessage(scheduleId: number, runId: number, { runs, stopped }: LoadedRuns): string {
  return stopped === "end"
    ? `Schedule ${scheduleId} has no run ${runId}`
    : `Run ${runId} is not one of the latest ${formatCount(runs.length)} runs of schedule ` +
      `${scheduleId}; older runs were not loaded`;
}
