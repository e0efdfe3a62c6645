/** Reads schedule ids from paths and forms, and numbers from queries. */
import { ProblemError, type ValidationIssue } from "./problem.ts";
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

/**
 * Reads whole numbers; no other parameter is allowed. An invalid number is an issue and read as NaN, so
 * that the backend's own check can say more precisely what it allows.
 */
export function readNumbers<Name extends string>(
  query: URLSearchParams,
  lowest: Readonly<Record<Name, number>>,
  issues: ValidationIssue[],
): Partial<Record<Name, number>> {
  const numbers: Partial<Record<Name, number>> = {};
  const names = Object.keys(lowest) as Name[];
  for (const parameter of new Set(query.keys())) {
    if (!Object.hasOwn(lowest, parameter)) {
      issues.push({ parameter, detail: `is not known here; allowed are ${names.join(", ")}` });
    }
  }
  for (const parameter of names) {
    const texts = query.getAll(parameter);
    if (texts.length > 1) issues.push({ parameter, detail: "must be given only once" });
    if (texts.length !== 1) continue;
    const number = wholeNumber(texts[0]) ?? NaN;
    numbers[parameter] = number;
    if (!(number >= lowest[parameter])) {
      const detail = `must be a whole number from ${lowest[parameter]} to 2^53 - 1`;
      issues.push({ parameter, detail });
    }
  }
  return numbers;
}
