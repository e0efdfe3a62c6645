/** Which setting of a program an error of the client is about, and where the service is. */
import type { AnyDocketError } from "./errors.ts";

export interface ServiceSetting {
  readonly baseUrl: string;
  /** What the setting with this URL is called, such as `DOCKET_URL`. */
  readonly urlName: string;
  /** What the setting with the token is called, such as `DOCKET_TOKEN`. */
  readonly tokenName: string;
}

/** The setting to check after an error, with the host; undefined if none is to blame. */
export function settingHint(
  error: AnyDocketError,
  { baseUrl, urlName, tokenName }: ServiceSetting,
): string | undefined {
  const place = `${urlName}, ${baseUrl}`;
  switch (error.kind) {
    case "network": {
      const [, why] = networkWords(error);
      return why ? `${place}: ${why}` : place;
    }
    case "timeout":
      return place;
    case "http":
      if (error.status === 401 || error.status === 403) {
        return `${tokenName} was rejected by ${baseUrl}`;
      }
      if (error.status < 400) return `check ${place}`;
      return error.problem ? undefined : webPageHint(error.excerpt, place);
    case "shape":
      return webPageHint(error.excerpt ?? "", place);
  }
}

/** The message without what {@linkcode settingHint} says: why the network failed, what to check. */
export function messageBesideHint(error: AnyDocketError): string {
  if (error.kind === "network") {
    const [what, why] = networkWords(error);
    return why ? error.message.replace(`${what}: ${why}`, what) : error.message;
  }
  return error.kind === "http" && error.status < 400
    ? error.message.replace("; check baseUrl", "")
    : error.message;
}

function networkWords({ attempts }: AnyDocketError): readonly [what: string, why: string] {
  const reason = attempts.at(-1)?.reason ?? "";
  const at = reason.indexOf(": ");
  return at < 0 ? [reason, ""] : [reason.slice(0, at), reason.slice(at + 2)];
}

function webPageHint(answer: string, place: string): string | undefined {
  return /^\s*</.test(answer) ? `The answer is a web page: check ${place}` : undefined;
}
