/** Ids of report schedules in URLs and forms. */
import { ProblemError } from "./problem.ts";
import { wholeNumber } from "../../lib/format.ts";

/** What a schedule id is; larger numbers would not be exact. */
export const SCHEDULE_ID_RULE =
  `A schedule id is a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`;

export function readScheduleId(text: string): number | null {
  return text.startsWith("-") ? null : wholeNumber(text);
}

/** The schedule id in a path, or a 404 if it is not one. */
export function scheduleIdOf({ scheduleId }: { readonly scheduleId: string }): number {
  const id = readScheduleId(scheduleId);
  if (id === null) throw new ProblemError(404, SCHEDULE_ID_RULE);
  return id;
}
