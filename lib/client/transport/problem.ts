/** Problem documents (RFC 9457) in the bodies of bad answers. */
import type { Problem } from "../../errors.ts";

export interface ProblemBody {
  readonly problem?: Problem;
  readonly requestId?: string;
}

/** Reads a problem document leniently: whatever is of another type is left out. */
export function readProblem(text: string): ProblemBody {
  try {
    const body = JSON.parse(text);
    const errors = [body.errors].flat()
      .map((issue) => pick(issue, "pointer", "parameter", "detail"))
      .filter((issue): issue is Problem["errors"][number] => Boolean(issue.detail));
    const problem: Problem = { ...pick(body, "title", "detail"), errors };
    const isProblem = problem.title ?? problem.detail ?? errors[0];
    return isProblem === undefined ? {} : { problem, ...pick(body, "requestId") };
  } catch {
    return {};
  }
}

/** The members of a value that are texts. */
function pick<Name extends string>(
  value: unknown,
  ...names: readonly Name[]
): Partial<Record<Name, string>> {
  const given = Object(value);
  const entries = names.map((name) => [name, given[name]]);
  return Object.fromEntries(entries.filter(([, text]) => typeof text === "string"));
}
