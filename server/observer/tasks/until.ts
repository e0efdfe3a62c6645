/** Until when something is muted, at the command line. */
import { readDuration } from "../../../lib/runs/plans/parse.ts";
import { TaskError } from "../../store/tasks/task.ts";

/** The time that `--until` gives; null for off. */
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
