import { type AnyDocketError, type HttpStatusError, isDocketError } from "../../lib/errors.ts";
import { isRetryableStatus } from "../../lib/client/transport/retry.ts";
import type { ErrorMessage } from "../ui/notices.tsx";

/** An error of the client in plain words. Unexpected errors are not quoted. */
export function errorMessageOf(error: unknown, words: ErrorWords = {}): ErrorMessage {
  return isDocketError(error)
    ? {
      issues: [],
      requestId: error.requestId,
      // People may retry what the client does not retry, but not what the service rejects.
      mayRetry: error.kind !== "http" || isRetryableStatus(error.status),
      ...toMessage(error, words),
    }
    : {
      title: "Something went wrong",
      detail: "The page could not be shown.",
      issues: [],
      mayRetry: true,
    };
}

type Message = Pick<ErrorMessage, "title" | "detail"> & Partial<ErrorMessage>;

function toMessage(error: AnyDocketError, words: ErrorWords): Message {
  switch (error.kind) {
    case "http":
      return httpMessage(error, words);
    case "timeout":
      return {
        title: "The service took too long to respond",
        detail: `${error.message}. Try again in a moment.`,
      };
    case "network":
      return {
        title: "The service can't be reached",
        detail: "The connection failed. Try again in a moment.",
      };
    default:
      return {
        title: "The service sent an unexpected response",
        detail: `${error.message}. Try again. If this keeps happening, ask whoever runs Docket.`,
        ...("excerpt" in error ? { excerpt: error.excerpt } : {}),
      };
  }
}

/** What to say of a status, unless the service itself says more. */
export type ErrorWords = Readonly<Record<number, readonly [title: string, detail: string]>>;

const HTTP_MESSAGES: ErrorWords = {
  400: ["The service rejected this request", "The request is not valid."],
  401: ["You are no longer signed in", "The service no longer accepts your token."],
  403: ["Access denied", "The service does not allow this."],
  404: ["Not found", "It may have been deleted, or the id may be mistyped."],
  429: ["The service is busy", "It is limiting requests."],
};

function httpMessage(
  { status, problem, excerpt, retryAfterMs = 0 }: HttpStatusError,
  words: ErrorWords,
): Message {
  const [title, standard] = words[status] ?? HTTP_MESSAGES[status] ??
    ["The service failed", `It responded with status ${status}.`];
  const needsSignIn = status === 401;
  const detail = !needsSignIn && problemDetail(problem) || standard;
  const retryAfterSeconds = Math.ceil(retryAfterMs / 1000);
  return {
    title,
    detail: status < 429 ? detail : `${detail} Try again in ${formatWait(retryAfterSeconds)}.`,
    issues: (problem?.errors ?? []).map(formatIssue),
    needsSignIn,
    retryAfterSeconds,
    ...(problem ? {} : { excerpt }),
  };
}

/** The detail of a problem document, unless it lists validation issues, which say more. */
function problemDetail(problem: HttpStatusError["problem"]): string | undefined {
  if (!problem || problem.errors.length > 0 || !problem.detail) return undefined;
  return /[.!?]$/.test(problem.detail) ? problem.detail : `${problem.detail}.`;
}

export function formatWait(seconds = 0): string {
  if (seconds === 0) return "a moment";
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
}

/** A validation issue as text. Pointers such as `/filters/0/field` are counted from one. */
export function formatIssue({ pointer, parameter, detail }: {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly detail: string;
}): string {
  const place = parameter ?? pointer?.split("/").slice(1)
    .map((part) => /^\d+$/.test(part) ? String(Number(part) + 1) : MEMBERS[part] ?? part)
    .join(" ");
  // Some details already begin with the place.
  return !place || detail.startsWith(place) ? detail : `${place}: ${detail}`;
}

const MEMBERS: Readonly<Record<string, string>> = {
  filters: "condition",
  dateFilters: "date condition",
  fieldSort: "sort key",
};
