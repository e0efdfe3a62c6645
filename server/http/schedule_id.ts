/** Ids of report schedules, as they stand in addresses, in forms and in cookies. */
import { ProblemError } from "./problem.ts";
import { wholeNumber } from "../config/whole_number.ts";

/** The schedule id that somebody typed or linked to, or null where it is none. */
export function readScheduleId(text: string): number | null {
  return text.startsWith("-") ? null : wholeNumber(text);
}

/** The ids in the text of a cookie, with dots between, each once; what is none is left out. */
export function readScheduleIds(text: string): number[] {
  return [...new Set(text.split(".").map(readScheduleId).filter((id) => id !== null))];
}

/**
 * The schedule that a path names.
 *
 * @throws {ProblemError} when it names none: there can't be such a page
 */
export function scheduleIdOf({ scheduleId }: { readonly scheduleId: string }): number {
  const id = readScheduleId(scheduleId);
  if (id === null) throw new ProblemError(404, "A schedule id is a whole number");
  return id;
}
