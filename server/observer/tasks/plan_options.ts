/** The plan that `--cron`, `--zone` and `--grace` describe. */
import { parsePlan } from "../../../lib/runs/plans/parse.ts";
import type { Plan } from "../../../lib/runs/plans/plan.ts";
import { type Arguments, TaskError } from "../../store/tasks/task.ts";

/** Reads the plan; null if the options have none. */
export function readPlan(options: Arguments["options"], now: number): Plan | null {
  const { cron, zone, grace } = options;
  if (cron === undefined) {
    const lonely = zone === undefined ? grace === undefined ? null : "grace" : "zone";
    if (lonely) throw new TaskError(`--${lonely} needs --cron`);
    return null;
  }
  try {
    return parsePlan({ cron, zone, grace }, now);
  } catch (error) {
    throw new TaskError(`--${(error as Error).message}`);
  }
}
