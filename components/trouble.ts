import { type HttpStatusError, isDocketError } from "../lib/errors.ts";
import { faultWords } from "./fault_words.ts";
import type { Trouble } from "./notice.tsx";

/** What an error of the client says to people. */
export function troubleOf(error: unknown): Trouble {
  if (!isDocketError(error)) {
    return { title: "Something went wrong", detail: "The page could not be shown.", faults: [] };
  }
  const requestId = error.requestId;
  switch (error.kind) {
    case "http":
      return {
        ...httpTrouble(error.status, error.status === 401 ? undefined : detailOf(error.problem)),
        needsSignIn: error.status === 401,
        faults: (error.problem?.errors ?? []).map(faultWords),
        ...(error.problem ? {} : { said: error.excerpt }),
        requestId,
      };
    case "timeout":
      return {
        title: "The service took too long",
        detail: `${error.message}.`,
        faults: [],
        requestId,
      };
    case "network":
      return {
        title: "The service can't be reached",
        detail: "Nothing answered. Check the connection, and try again.",
        faults: [],
        requestId,
      };
    default:
      return {
        title: "The service answered in a way that can't be read",
        detail: `${error.message}.`,
        faults: [],
        ...("excerpt" in error ? { said: error.excerpt } : {}),
        requestId,
      };
  }
}

/** What a problem document says besides its single faults, which say more. */
function detailOf(problem: HttpStatusError["problem"]): string | undefined {
  if (!problem || problem.errors.length > 0 || !problem.detail) return undefined;
  return /[.!?]$/.test(problem.detail) ? problem.detail : `${problem.detail}.`;
}

function httpTrouble(status: number, detail?: string): Pick<Trouble, "title" | "detail"> {
  const titles: Record<number, [title: string, detail: string]> = {
    400: ["The service can't do this", "It refused the request as not valid."],
    401: ["You are no longer signed in", "The service does not accept the token any more."],
    403: ["The service does not allow this", "The token may not read this."],
    404: ["The service knows nothing of this", "It may be mistyped, or gone."],
    429: ["The service has too much to do", "Wait a little, and try again."],
  };
  const [title, words] = titles[status] ??
    ["The service failed", `It answered with status ${status}. Try again in a moment.`];
  return { title, detail: detail ?? words };
}
