/** Says which setting of a program to check after an error of the client. */
import type { AnyDocketError } from "./errors.ts";

export interface ServiceSetting {
  readonly baseUrl: string;
  /** Name of the setting with this URL, such as `DOCKET_URL`. */
  readonly urlName: string;
  /** Name of the setting with the token, such as `DOCKET_TOKEN`. */
  readonly tokenName: string;
}

/** What to check after an error; undefined if no setting is to blame. */
export function settingHint(
  error: AnyDocketError,
  { baseUrl, urlName, tokenName }: ServiceSetting,
): string | undefined {
  const advice = `check ${urlName}, ${baseUrl}`;
  switch (error.kind) {
    case "network":
    case "timeout":
      return advice;
    case "http":
      if (error.status === 401 || error.status === 403) {
        return `${tokenName} was rejected by ${baseUrl}`;
      }
      if (error.status < 400) return advice;
      return error.problem ? undefined : webPageHint(error.excerpt, advice);
    case "shape":
      return webPageHint(error.excerpt ?? "", advice);
  }
}

/** The error's message without the advice that {@linkcode settingHint} repeats. */
export function messageBesideHint({ message }: AnyDocketError): string {
  return message.replace("; check baseUrl", "");
}

function webPageHint(answer: string, advice: string): string | undefined {
  return /^\s*</.test(answer) ? `The answer is a web page: ${advice}` : undefined;
}
