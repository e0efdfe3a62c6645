import type { Trouble } from "../components/ui/notice.tsx";
import { faultWords } from "../components/page/fault_words.ts";
import { troubleOf } from "../components/page/trouble.ts";
import type { RequestLog } from "../server/log/log.ts";
import { logProblem } from "../server/log/log_problem.ts";
import { isProblemError, problemOf } from "../server/http/problem.ts";
import { problemHeaders, problemResponse } from "../server/http/problem_response.ts";
import { safeUpstreamText } from "../server/http/upstream_text.ts";

/** What a page says of an error of the backend, and how it is answered. */
export interface PageTrouble {
  readonly trouble: Trouble;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** What an answer needs of the request's state. */
interface Served {
  readonly log: RequestLog;
  readonly requestId: string;
}

/** An upstream may repeat anything in its words, and at any length. */
function repeatableTrouble({ detail, faults, said, ...trouble }: Trouble): Trouble {
  return {
    ...trouble,
    detail: safeUpstreamText(detail),
    faults: faults.map(safeUpstreamText),
    ...(said === undefined ? {} : { said: safeUpstreamText(said) }),
  };
}

/** Makes the answer of a page to an error of the backend, and logs what is the server's affair. */
export function pageTrouble(
  error: unknown,
  request: Request,
  { log, requestId }: Served,
): PageTrouble {
  const problem = problemOf(error);
  const { status, title, detail, errors } = problem;
  logProblem(log, problem, error, request.signal);
  const trouble = isProblemError(error)
    ? {
      title,
      detail: errors.length > 0 ? "What has to be mended:" : `${detail}.`,
      faults: errors.map(faultWords),
    }
    : repeatableTrouble(troubleOf(error));
  return {
    trouble: { ...trouble, mayPass: status >= 500 || status === 429, requestId },
    status,
    headers: problemHeaders(problem),
  };
}

/** Answers what is no page with a problem document, and logs what is the server's affair. */
export function problemAnswer(
  error: unknown,
  request: Request,
  { log, requestId }: Served,
): Response {
  const problem = problemOf(error);
  logProblem(log, problem, error, request.signal);
  return problemResponse(problem, requestId);
}
