/** Answers that are older than what was read before: they say nothing about the schedule. */
import { formatCountOf } from "../../../lib/format.ts";

const PREFIX = "The answer is stale: ";

/** An answer that lacks runs for this long is believed: somebody removed them. */
export const BELIEVED_AFTER_MS = 30 * 60_000;

export class StaleAnswerError extends Error {
  override readonly name = StaleAnswerError.name;
  /** `runs` are the ids of the runs that it lacks or shows as before, if that is why. */
  constructor(why: string, readonly runs: readonly number[] = []) {
    super(PREFIX + why);
  }
}

/** Why an answer is stale, found in an error of ours or in the client's copy; null for other errors. */
export function staleFailureOf(error: unknown): string | null {
  const { name, message, cause } = Object(error) as Partial<Error>;
  if (name === StaleAnswerError.name) return message!;
  return cause === undefined ? null : staleFailureOf(cause);
}

export function isStaleFailure(failure: string | null): boolean {
  return failure?.startsWith(PREFIX) ?? false;
}

/** An answer without runs that were read before, or with runs as they were before they ended. */
export function lacking(ids: readonly number[], reopened: readonly number[]): StaleAnswerError {
  const parts = [
    ids.length > 0 &&
    `it lacks ${formatCountOf(ids.length, "run", "runs")} that were read before, such as ${ids[0]}`,
    reopened.length > 0 && `it shows run ${reopened[0]} as it was before it ended`,
  ];
  return new StaleAnswerError(parts.filter((part) => part !== false).join(", and "), [
    ...ids,
    ...reopened,
  ]);
}
