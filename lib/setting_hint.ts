/** Says which setting of the command line to check after an error of the client. */
import type { AnyDocketError } from "./errors.ts";

/** What to check after an error; undefined if no setting is to blame. */
export function settingHint(error: AnyDocketError, baseUrl: string): string | undefined {
  const advice = `check DOCKET_URL, ${baseUrl}`;
  switch (error.kind) {
    case "network":
    case "timeout":
      return advice;
    case "http":
      if (error.status === 401) return `DOCKET_TOKEN was rejected by ${baseUrl}`;
      if (error.status === 403) return `${baseUrl} does not allow this with DOCKET_TOKEN`;
      if (error.status < 400) return advice;
      if (error.problem) return undefined;
      return webPageHint(
        error.excerpt,
        error.status === 404 ? `it is not there, or ${advice}` : advice,
      );
    case "shape":
      return webPageHint(error.excerpt ?? "", advice);
  }
}

/** The error's message without the advice that {@linkcode settingHint} repeats. */
export function messageBesideHint({ message }: AnyDocketError): string {
  return message.replace("; check baseUrl", "");
}

function webPageHint(answer: string, advice: string): string | undefined {
  return isWebPage(answer) ? `The answer is a web page: ${advice}` : undefined;
}

export function isWebPage(answer: string): boolean {
  return /^\s*</.test(answer);
}
