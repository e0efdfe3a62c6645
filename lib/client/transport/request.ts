/** Makes the request of an operation, or throws if an argument can't be sent; and writes it as curl. */
import { check, checkCount, isSecretHeader, parameterError } from "../../check.ts";
import { ConfigurationError } from "../../errors.ts";
import type { SearchInput } from "../../types.ts";
import { DEFAULT_LIMIT } from "../backend.ts";
import { checkRow, checkRows, type Members } from "../row_checks.ts";

export const DEFAULT_TOKEN_HEADER = "X-SERVICE-Developer-Token";

/** A request without its secrets. */
export interface ShownRequest {
  /** The operation, in words for messages. */
  readonly operation: "search file sets" | "get report history";
  /** HTTP method. */
  readonly method: "GET" | "POST";
  /** Absolute URL. */
  readonly url: string;
  /** Headers, without the token's. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body text; GET has none. */
  readonly body?: string;
  /** Name of the token's header, or null if no token is sent. */
  readonly tokenHeader: string | null;
}

export type RequestSpec = Omit<ShownRequest, "tokenHeader">;

/** A request to the service, or to a Docket for its records. */
export interface SentRequest extends Pick<RequestSpec, "url" | "headers" | "body"> {
  readonly operation: string;
  readonly method: string;
}

/** Checks a base URL and removes slashes at its end, so that paths can be appended. */
export function normalizeBaseUrl(baseUrl: string | URL): string {
  const text = String(baseUrl).trim();
  check(
    /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/i.test(text) && URL.canParse(text),
    "baseUrl",
    "an http or https URL without user name, query and fragment, such as http://localhost:8000",
  );
  return new URL(text).href.replace(/\/+$/, "");
}

/** The request of a search for file sets, with a body from {@linkcode searchBodyText}. */
export function searchRequest(
  baseUrl: string,
  body: string,
  { limit = DEFAULT_LIMIT, offset = 0 }: { readonly limit?: number; readonly offset?: number } = {},
): RequestSpec {
  const url = `${baseUrl}/api/files/v1/filesets/search`;
  return pageRequest("search file sets", url, limit, "offset", offset, body);
}

export function historyRequest(
  baseUrl: string,
  scheduleId: number,
  { limit = DEFAULT_LIMIT, skip = 0 }: { readonly limit?: number; readonly skip?: number } = {},
): RequestSpec {
  check(Number.isSafeInteger(scheduleId), "scheduleId", "an integer below 2^53");
  const url = `${baseUrl}/api/content/v1/reportschedules/${scheduleId}/history`;
  return pageRequest("get report history", url, limit, "skip", skip);
}

function pageRequest(
  operation: RequestSpec["operation"],
  url: string,
  limit: number,
  skipName: string,
  skipped: number,
  body?: string,
): RequestSpec {
  checkCount("limit", limit, 1);
  checkCount(skipName, skipped, 0);
  const json = "application/json";
  return {
    operation,
    method: body ? "POST" : "GET",
    url: `${url}?limit=${limit}&${skipName}=${skipped}`,
    headers: { accept: json, ...(body && { "content-type": json }) },
    ...(body && { body }),
  };
}

/** Checks a search body and writes it as JSON, so that later changes of the object don't matter. */
export function searchBodyText(body: SearchInput = {}): string {
  let text: string;
  try {
    // Comes before the checks, which would follow a circular reference forever. Leaves out the text of
    // a range, which is not part of the interface.
    text = JSON.stringify(body, (name, value) => name === "range" ? undefined : value);
  } catch (cause) {
    throw new ConfigurationError("body", "body can't be written as JSON", { cause });
  }
  checkRow(body, "body", {}, parameterError);
  for (const member of ["fieldSort", "filters", "dateFilters"] as const) {
    checkRows(body[member] ?? [], member, ELEMENT, parameterError);
  }
  return text;
}

/** Each element names a field; its other members have the interface's types, or are missing. */
const ELEMENT: Members = {
  field: { kind: "string", mayBeMissing: false },
  order: { kind: "string", mayBeMissing: true },
  operator: { kind: "string", mayBeMissing: true },
  value: { kind: "array of texts, numbers or booleans", mayBeMissing: true },
  start: { kind: "string", mayBeMissing: true },
  end: { kind: "string", mayBeMissing: true },
  not: { kind: "boolean", mayBeMissing: true },
};

/**
 * Writes a request as a `curl` command without secrets. Environment variables replace them:
 * `DOCKET_TOKEN` the token, and for any other secret one that is named after its header, such as
 * `AUTHORIZATION`.
 *
 * @param request The request, such as `request()` of a result.
 * @returns The command for a POSIX shell, on several lines.
 *
 * @example
 * ```ts
 * import { createClient, toCurl } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const client = createClient({ baseUrl: "https://service.example", token: "secret" });
 * assertEquals(
 *   toCurl(client.reportSchedules.history(101).request()),
 *   `curl 'https://service.example/api/content/v1/reportschedules/101/history?limit=100&skip=0' \\
 *   -H 'accept: application/json' \\
 *   -H "X-SERVICE-Developer-Token: $DOCKET_TOKEN"`,
 * );
 * ```
 */
export function toCurl({ url, headers, body, tokenHeader }: ShownRequest): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  // In double quotes, the shell replaces the variable.
  const withVariable = (name: string, variable: string) =>
    `"${name.replace(/[$`]/g, "\\$&")}: $${variable}"`;
  const parts = [`curl ${quote(url)}`];
  for (const [name, value] of Object.entries(headers)) {
    const variable = name.toUpperCase().replace(/\W/g, "_");
    const header = isSecretHeader(name) ? withVariable(name, variable) : quote(`${name}: ${value}`);
    parts.push(`-H ${header}`);
  }
  if (tokenHeader !== null) parts.push(`-H ${withVariable(tokenHeader, "DOCKET_TOKEN")}`);
  if (body) parts.push(`--data-raw ${quote(body)}`);
  return parts.join(" \\\n  ");
}
