import { type AnyDocketError, type HttpStatusError, isDocketError } from "../../lib/errors.ts";
import { faultWords } from "./fault_words.ts";
import type { Trouble } from "../ui/notice.tsx";

/** A pause that the service asks for is waited for if it is no longer than this. */
export const LONGEST_PAUSE_SECONDS = 3600;

/** What an error of the client says to people. */
export function troubleOf(error: unknown): Trouble {
  return isDocketError(error)
    ? { faults: [], requestId: error.requestId, ...wordsFor(error) }
    : { title: "Something went wrong", detail: "The page could not be shown.", faults: [] };
}

type Words = Pick<Trouble, "title" | "detail"> & Partial<Trouble>;

function wordsFor(error: AnyDocketError): Words {
  switch (error.kind) {
    case "http":
      return httpWords(error);
    case "timeout":
      return {
        title: "The service took too long",
        detail: `${error.message}. Try again in a moment.`,
      };
    case "network":
      return {
        title: "The service can't be reached",
        detail: "Nothing answered, or the connection broke. Try again in a moment.",
      };
    default:
      return {
        title: "The service answered in a way that can't be read",
        detail: `${error.message}. Try again; if it stays so, tell whoever runs Docket.`,
        ...("excerpt" in error ? { said: error.excerpt } : {}),
      };
  }
}

const HTTP_WORDS: Readonly<Record<number, readonly [title: string, detail: string]>> = {
  400: ["The service can't do this", "It refused the request as not valid."],
  401: ["You are no longer signed in", "The service does not accept the token any more."],
  403: ["The service does not allow this", "The token may not read this."],
  404: ["The service knows nothing of this", "It may be mistyped, or gone."],
  429: ["The service has too much to do", "It refused the request for now."],
};

function httpWords({ status, problem, excerpt, retryAfterMs = 0 }: HttpStatusError): Words {
  const [title, words] = HTTP_WORDS[status] ??
    ["The service failed", `It answered with status ${status}.`];
  const needsSignIn = status === 401;
  const detail = !needsSignIn && saidBy(problem) || words;
  const retryAfterSeconds = Math.ceil(retryAfterMs / 1000);
  const wait = retryAfterSeconds > 0 ? waitWords(retryAfterSeconds) : "a moment";
  return {
    title,
    detail: status < 429 ? detail : `${detail} Try again in ${wait}.`,
    faults: (problem?.errors ?? []).map(faultWords),
    needsSignIn,
    retryAfterSeconds,
    ...(problem ? {} : { said: excerpt }),
  };
}

/** What a problem document says besides its single faults, which say more. */
function saidBy(problem: HttpStatusError["problem"]): string | undefined {
  if (!problem || problem.errors.length > 0 || !problem.detail) return undefined;
  return /[.!?]$/.test(problem.detail) ? problem.detail : `${problem.detail}.`;
}

/** How long to wait, in words. */
export function waitWords(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
}
