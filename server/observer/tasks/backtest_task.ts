/** `deno task backtest`: prints the incidents that watching a schedule would have opened. */
import { formatCountOf } from "../../../lib/format.ts";
import { startOfDay } from "../../../lib/days.ts";
import { isMutedAt } from "../../../lib/judgement/incidents/incident.ts";
import { describePlan } from "../../../lib/judgement/plans/describe.ts";
import { planFit } from "../../schedules/plan_fit.ts";
import { printTable, runAsProgram, type Task, TaskError } from "../../store/tasks/task.ts";
import { type Backtest, backtest as replayRuns } from "../judging/judging_questions.ts";
import { isoOrNull } from "../event.ts";
import { momentText } from "../words.ts";
import { readPlan, readSchedule } from "./arguments.ts";
import { newestRuns, refuse, type TaskService, withRecords } from "./task_records.ts";

const HELP = `Replays the runs of a schedule, and prints the incidents that watching it would have
opened and resolved.

deno task backtest ID [--since DAY] [--cron CRON --zone ZONE --grace TIME] [--json]

--since   leaves out incidents that were resolved before this day, such as 2026-01-05 (UTC)
--cron    a plan to try instead of the confirmed one: expressions of five fields, separated by
          semicolons
--zone    the zone of the cron expression, such as Europe/Berlin. Default: UTC
--grace   how late a run may start, such as 20m. Default: 10m
--json    prints JSON

MARKED says which incidents were marked as false on the page of the schedule's plan.
Without --cron, the confirmed plan is used, or else the inferred one. With an upstream
service, this replays the runs that Docket stored while watching.

Exit code 0: done; 1: there is no such schedule, it has no runs, or the database can't be used;
2: an argument or a setting is wrong.`;

const MAX_RUNS = 10_000;

export const backtest: Task = {
  help: HELP,
  options: ["since", "cron", "zone", "grace"],
  flags: ["json"],
  rest: 1,
  async run({ options, flags, rest: [id = ""] }, context) {
    const scheduleId = readSchedule(id);
    const now = context.now().getTime();
    const since = options.since === undefined ? undefined : startOfDay(options.since, "UTC");
    if (options.since !== undefined && since === undefined) {
      throw new TaskError(`--since must be a day such as 2026-01-05, not "${options.since}"`);
    }
    const optionPlan = readPlan(options, now);
    return await withRecords(context, async (service) => {
      const runs = await newestRuns(service, scheduleId, MAX_RUNS);
      if (runs === null || runs.length === 0) {
        refuse(whyNoRuns(service, scheduleId, runs !== null));
      }
      const watch = await service.records.watches.get(scheduleId);
      const { incidents, plan } = replayed(runs, {
        now,
        plan: optionPlan ?? watch?.plan ?? null,
        pauses: watch?.pauses ?? [],
        calendar: await service.records.calendars.daysFor(scheduleId),
        statuses: await service.records.statuses.dictionary(),
        since,
      });
      const source = optionPlan ? "given" : watch?.plan ? "confirmed" : plan ? "inferred" : null;
      const fit = plan && planFit(plan, runs);
      const marked = new Set(watch?.falseIncidents ?? []);
      if (flags.json) {
        const rows = incidents.map(({ key, code, reason, opened, passed, resolved }) => ({
          key,
          code,
          severity: reason.severity,
          since: isoOrNull(reason.since),
          opened: isoOrNull(opened),
          passed: isoOrNull(passed),
          resolved: isoOrNull(resolved),
          isFalse: marked.has(key),
        }));
        context.print(
          JSON.stringify({ scheduleId, runs: runs.length, plan, source, fit, incidents: rows }),
        );
        return 0;
      }
      const words = plan ? `${describePlan(plan)} (${source})` : "no plan";
      const wrong = incidents.filter(({ key }) => marked.has(key)).length;
      context.print(
        `${formatCountOf(runs.length, "run", "runs")}, ${words}: ` +
          formatCountOf(incidents.length, "incident", "incidents") +
          (wrong > 0 ? `, ${wrong} marked as false` : ""),
      );
      if (fit) context.print(`The plan fits ${fit.fitting} of the newest ${fit.runs} runs`);
      if (watch && isMutedAt(watch, now)) {
        context.print(`Muted until ${momentText(watch.mutedUntil)}: nothing is sent before then`);
      }
      if (incidents.length === 0) return 0;
      printTable([
        ["OPENED", "OVER", "SEVERITY", "CODE", "SINCE", wrong > 0 ? "MARKED" : ""],
        ...incidents.map(({ key, code, reason, opened, passed, resolved }) => [
          momentText(opened),
          momentText(passed ?? resolved),
          reason.severity,
          code,
          momentText(reason.since),
          marked.has(key) ? "false" : "",
        ]),
      ], context);
      return 0;
    });
  },
};

function replayed(...args: Parameters<typeof replayRuns>): Backtest {
  try {
    return replayRuns(...args);
  } catch (error) {
    if (error instanceof RangeError) throw new TaskError(error.message);
    throw error;
  }
}

function whyNoRuns({ store }: TaskService, scheduleId: number, isKnown: boolean): string {
  if (!isKnown) return `The service has no schedule ${scheduleId}`;
  return store
    ? `Schedule ${scheduleId} has no runs`
    : `No runs of schedule ${scheduleId} are stored: watch it first`;
}

if (import.meta.main) await runAsProgram(backtest);
