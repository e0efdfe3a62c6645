import { ProblemError } from "../server/problem.ts";
import { wholeNumber } from "../server/whole_number.ts";

/** The schedule id that somebody typed or linked to, or null where it is none. */
export function readScheduleId(text: string): number | null {
  const id = wholeNumber(text);
  return id !== null && id >= 0 ? id : null;
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
