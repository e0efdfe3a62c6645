/**
 * From an operation and its input to the request that is to be sent. Nothing is sent here, and
 * whatever can't be sent is refused here with a {@linkcode ConfigurationError}.
 *
 * @module
 */

import { ConfigurationError } from "./errors.ts";
import type { SearchBody } from "./types.ts";

/** The page size of both operations when none is given. */
export const DEFAULT_LIMIT = 100;

/** Name of the token header when none is given; the interface writes a neutral word in it. */
export const DEFAULT_TOKEN_HEADER = "X-SERVICE-Developer-Token";

/** The two operations of the interface. */
export type Operation = "search file sets" | "get report history";

/** A request before it is sent, without the token. */
export interface RequestPlan {
  /** The operation, in words for messages. */
  readonly operation: Operation;
  /** HTTP method. */
  readonly method: "GET" | "POST";
  /** Absolute URL. */
  readonly url: string;
  /** Headers, without the token's. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body text; GET has none. */
  readonly body?: string;
}

/**
 * Checks a base URL and removes slashes at its end, so that paths can be added.
 *
 * @param baseUrl Absolute http or https URL; it may have a path.
 * @returns The URL without slashes at its end.
 * @throws {ConfigurationError} When the URL is not absolute, or has a query, a fragment or a
 * user name.
 */
export function normalizeBaseUrl(baseUrl: string | URL): string {
  const text = String(baseUrl ?? "").trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:\/\//i.test(text) || url.username || url.password || /[?#]/.test(text)) {
    // The URL itself is not repeated: someone may have put a secret into it.
    throw new ConfigurationError(
      "baseUrl",
      "baseUrl must be an absolute http or https URL without user name, query and fragment, " +
        "such as https://service.example",
    );
  }
  return url.href.replace(/\/+$/, "");
}

/**
 * The request of a search for file sets, `POST {base_url}/api/files/v1/filesets/search`.
 *
 * @param baseUrl From {@linkcode normalizeBaseUrl}.
 * @param body The search body as text, from {@linkcode searchBodyText}.
 * @param page The most file sets to return and how many to skip.
 * @returns The request.
 * @throws {ConfigurationError} When limit or offset can't be used.
 */
export function planSearch(
  baseUrl: string,
  body: string,
  page: { readonly limit?: number; readonly offset?: number } = {},
): RequestPlan {
  const limit = checkCount("limit", page.limit ?? DEFAULT_LIMIT, 1);
  const offset = checkCount("offset", page.offset ?? 0, 0);
  return {
    operation: "search file sets",
    method: "POST",
    url: `${baseUrl}/api/files/v1/filesets/search?limit=${limit}&offset=${offset}`,
    headers: { "accept": "application/json", "content-type": "application/json" },
    body,
  };
}

/**
 * The request for a history, `GET {base_url}/api/content/v1/reportschedules/{scheduleId}/history`.
 *
 * @param baseUrl From {@linkcode normalizeBaseUrl}.
 * @param scheduleId Id of the report schedule.
 * @param page The most runs to return and how many to skip.
 * @returns The request.
 * @throws {ConfigurationError} When the id, limit or skip can't be used.
 */
export function planHistory(
  baseUrl: string,
  scheduleId: number,
  page: { readonly limit?: number; readonly skip?: number } = {},
): RequestPlan {
  if (!Number.isSafeInteger(scheduleId)) fail("scheduleId", "an integer", scheduleId);
  const limit = checkCount("limit", page.limit ?? DEFAULT_LIMIT, 1);
  const skip = checkCount("skip", page.skip ?? 0, 0);
  return {
    operation: "get report history",
    method: "GET",
    url:
      `${baseUrl}/api/content/v1/reportschedules/${scheduleId}/history?limit=${limit}&skip=${skip}`,
    headers: { "accept": "application/json" },
  };
}

/**
 * Checks a number that counts something.
 *
 * @param parameter Its name.
 * @param count The number.
 * @param least The least that is allowed.
 * @returns The number.
 * @throws {ConfigurationError} When it is no integer, or less.
 */
export function checkCount(parameter: string, count: number, least: number): number {
  if (!Number.isSafeInteger(count) || count < least) {
    fail(parameter, `an integer of at least ${least}`, count);
  }
  return count;
}

/**
 * Checks a search body and writes it as JSON, so that later changes to the object change nothing.
 *
 * @param body The search body; none is the same as `{}`.
 * @returns The body as text.
 * @throws {ConfigurationError} When a member has another type than the interface gives it.
 */
export function searchBodyText(body: SearchBody = {}): string {
  if (!isObject(body)) fail("body", "an object", body);
  for (const member of ["fieldSort", "filters", "dateFilters"] as const) {
    const list: unknown = body[member] ?? [];
    if (!Array.isArray(list)) fail(member, "an array", list);
    (list as unknown[]).forEach((element, index) => checkElement(`${member}[${index}]`, element));
  }
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new ConfigurationError("body", "body can't be written as JSON", { cause });
  }
}

/** Every element names a field; its other members have the interface's types, or are missing. */
function checkElement(path: string, element: unknown): void {
  if (!isObject(element)) fail(path, "an object", element);
  const { field, value } = element;
  if (typeof field !== "string" || field === "") fail(`${path}.field`, "a field's name", field);
  if (value !== undefined && !isTexts(value)) fail(`${path}.value`, "an array of strings", value);
  const types = {
    order: "string",
    operator: "string",
    start: "string",
    end: "string",
    not: "boolean",
  };
  for (const [name, type] of Object.entries(types)) {
    const given = element[name];
    if (given !== undefined && typeof given !== type) fail(`${path}.${name}`, `a ${type}`, given);
  }
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fail(path: string, expected: string, value: unknown): never {
  throw new ConfigurationError(path, `${path} must be ${expected}, but got ${describe(value)}`);
}

/** Names a value in a message, without repeating text, which may be long or secret. */
function describe(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  const isText = typeof value === "string" || typeof value === "object" && value !== null;
  return isText ? `another ${typeof value}` : String(value);
}
