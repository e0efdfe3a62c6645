/** Reads schedule ids from paths and forms, and numbers from queries. */
import { ProblemError } from "./problem.ts";
import { wholeNumber } from "../../lib/format.ts";

/** Larger numbers would not be exact. */
export const SCHEDULE_ID_RULE =
  `A schedule id is a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`;

export function readScheduleId(text: string): number | null {
  return text.startsWith("-") ? null : wholeNumber(text);
}

/** The schedule id in a path, or a 404 if it is not one. */
export function requireScheduleId({ scheduleId }: { readonly scheduleId: string }): number {
  const id = readScheduleId(scheduleId);
  if (id === null) throw new ProblemError(404, SCHEDULE_ID_RULE);
  return id;
}

/** The longest query string, in characters. A page may repeat it in many links. */
export const MAX_QUERY_LENGTH = 8192;

export function requireShortQuery({ search }: URL): void {
  if (search.length > MAX_QUERY_LENGTH) {
    throw new ProblemError(414, `A query has at most ${MAX_QUERY_LENGTH} characters`);
  }
}
