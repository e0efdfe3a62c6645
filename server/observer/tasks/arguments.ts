/** Reads arguments of the command line, such as a schedule, a plan, a time or a name. */
import { MAX_CHARACTERS } from "../../store/text.ts";
import type { Actor } from "../../../lib/judgement/actor.ts";
import { readDuration } from "../../../lib/judgement/plans/parse.ts";
import type { Plan } from "../../../lib/judgement/plans/plan.ts";
import { readScheduleId, SCHEDULE_ID_RULE } from "../../http/request_query.ts";
import { readPlanText } from "../../schedules/plan_limits.ts";
import { readScheduleIds } from "../../schedules/schedule_id_list.ts";
import { type Arguments, TaskError } from "../../store/tasks/task.ts";

export function readSchedule(text: string): number {
  const id = readScheduleId(text);
  if (id !== null) return id;
  throw new TaskError(
    text ? `${SCHEDULE_ID_RULE}, not "${text}"` : "The id of a schedule is missing, such as 101",
  );
}

export function actorOf({ by = "somebody" }: Arguments["options"]): Actor {
  return { name: readName("by", by), known: "command line" };
}

export function readName(option: string, text: string): string {
  const name = text.trim();
  if (name !== "" && name.length <= MAX_CHARACTERS.name) return name;
  throw new TaskError(`--${option} must be a name of at most ${MAX_CHARACTERS.name} characters`);
}

/** The schedules that an option lists, such as `101,105-112`; none without it. */
export function readScheduleList(text = ""): readonly number[] {
  const { ids, issue } = readScheduleIds(text);
  if (issue) throw new TaskError(`--schedules ${issue}`);
  return ids;
}

const MAX_BYTES = 1_000_000;

export function readSmallFile(path: string): Promise<string> {
  return readFile(path, async () => {
    const { size } = await Deno.stat(path);
    if (size > MAX_BYTES) throw new TaskError(`${path} is too large: it may have at most 1 MB`);
    return await Deno.readTextFile(path);
  });
}

async function readFile<Read>(path: string, read: () => Promise<Read>): Promise<Read> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof TaskError) throw error;
    if (error instanceof Deno.errors.NotFound) throw new TaskError(`There is no file ${path}`);
    throw new TaskError(`${path} can't be read: ${error instanceof Error ? error.name : "error"}`);
  }
}

export function readPlan(options: Arguments["options"], now: number): Plan | null {
  const { cron, zone, grace } = options;
  if (cron === undefined) {
    const other = zone === undefined ? grace === undefined ? null : "grace" : "zone";
    if (other) throw new TaskError(`--${other} needs --cron`);
    return null;
  }
  try {
    return readPlanText({ cron, zone, grace }, now);
  } catch (error) {
    throw new TaskError(`--${(error as Error).message}`);
  }
}

/** The time in `--until`; null for `off`. */
export function readUntil(text: string | undefined, now: number): number | null {
  if (text === undefined) {
    throw new TaskError('--until is required, such as --until 2h, or "off"; see --help');
  }
  if (text === "off") return null;
  const duration = readDuration(text);
  if (duration !== undefined) return now + duration;
  const moment = /T.*(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : NaN;
  if (moment > now) return moment;
  throw new TaskError(
    '--until must be a time in the future such as 2026-03-10T08:00:00+01:00, a duration such as 2h, or "off"',
  );
}
