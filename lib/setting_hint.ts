/** Says which setting of a program to check after an error of the client. */
import type { AnyDocketError } from "./errors.ts";

export interface ServiceSetting {
  readonly baseUrl: string;
  /** Name of the setting with this URL, such as `DOCKET_URL`. */
  readonly urlName: string;
  /** Name of the setting with the token, such as `DOCKET_TOKEN`. */
  readonly tokenName: string;
}

/** The setting to check after an error, with the host; undefined if none is to blame. */
export function settingHint(
  error: AnyDocketError,
  { baseUrl, urlName, tokenName }: ServiceSetting,
): string | undefined {
  const setting = `${urlName}, ${baseUrl}`;
  switch (error.kind) {
    case "network": {
      const [, cause] = networkFailure(error);
      return cause ? `${setting}: ${cause}` : setting;
    }
    case "timeout":
      return setting;
    case "http":
      if (error.status === 401 || error.status === 403) {
        return `${tokenName} was rejected by ${baseUrl}`;
      }
      if (error.status < 400) return `check ${setting}`;
      return error.problem ? undefined : webPageHint(error.excerpt, setting);
    case "shape":
      return webPageHint(error.excerpt ?? "", setting);
  }
}

/** The error's message without the parts that {@linkcode settingHint} repeats. */
export function messageBesideHint(error: AnyDocketError): string {
  if (error.kind === "network") {
    const [failure, cause] = networkFailure(error);
    return cause ? error.message.replace(`${failure}: ${cause}`, failure) : error.message;
  }
  return error.kind === "http" && error.status < 400
    ? error.message.replace("; check baseUrl", "")
    : error.message;
}

function networkFailure({ attempts }: AnyDocketError): readonly [failure: string, cause: string] {
  const reason = attempts.at(-1)?.reason ?? "";
  const colon = reason.indexOf(": ");
  return colon < 0 ? [reason, ""] : [reason.slice(0, colon), reason.slice(colon + 2)];
}

function webPageHint(answer: string, setting: string): string | undefined {
  return /^\s*</.test(answer) ? `The answer is a web page: check ${setting}` : undefined;
}
