/** Problem documents (RFC 9457) in the bodies of bad answers. */

/** Something in a request that the service could not use. */
export interface ProblemIssue {
  /** JSON pointer into the body, for an issue there. */
  readonly pointer?: string;
  /** Name of the parameter, for an issue there. */
  readonly parameter?: string;
  /** What is wrong, and what is allowed. */
  readonly detail: string;
}

/** A problem document (RFC 9457), as far as the service sent one. */
export interface Problem {
  /** Short title of the kind of problem. */
  readonly title?: string;
  /** What went wrong this time. */
  readonly detail?: string;
  /** What the service could not use, one by one. */
  readonly errors: readonly ProblemIssue[];
}

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
      .filter((issue): issue is ProblemIssue => Boolean(issue.detail));
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
