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
  const fail = (problem: string): never => {
    // The URL itself is not repeated: someone may have put a secret into it.
    throw new ConfigurationError(
      "baseUrl",
      `baseUrl ${problem}; give an absolute URL such as https://service.example or ` +
        `https://service.example/path`,
    );
  };
  const text = String(baseUrl ?? "").trim();
  if (!/^https?:\/\//i.test(text)) fail("must begin with https:// or http://");
  if (!URL.canParse(text)) fail("is not a valid URL");
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") fail("must not contain a user name or password");
  if (text.includes("?") || text.includes("#")) fail("must not contain a query or a fragment");
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
  const limit = checkLimit(page.limit);
  const offset = checkSkipped("offset", page.offset);
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
  if (!Number.isSafeInteger(scheduleId)) {
    throw new ConfigurationError(
      "scheduleId",
      `scheduleId must be an integer, but got ${describe(scheduleId)}`,
    );
  }
  const limit = checkLimit(page.limit);
  const skip = checkSkipped("skip", page.skip);
  return {
    operation: "get report history",
    method: "GET",
    url:
      `${baseUrl}/api/content/v1/reportschedules/${scheduleId}/history?limit=${limit}&skip=${skip}`,
    headers: { "accept": "application/json" },
  };
}

function checkLimit(limit: number = DEFAULT_LIMIT): number {
  if (Number.isSafeInteger(limit) && limit >= 1) return limit;
  throw new ConfigurationError(
    "limit",
    `limit must be an integer of at least 1, but got ${describe(limit)}`,
  );
}

function checkSkipped(parameter: "offset" | "skip", count: number = 0): number {
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw new ConfigurationError(
    parameter,
    `${parameter} must be an integer of at least 0, but got ${describe(count)}`,
  );
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
  const elements = (member: "fieldSort" | "filters" | "dateFilters") => {
    const list: unknown = body[member];
    if (list === undefined) return [];
    if (!Array.isArray(list)) fail(member, "an array", list);
    return list as readonly unknown[];
  };
  elements("fieldSort").forEach((element, index) => {
    checkElement(`fieldSort[${index}]`, element, { order: "string" });
  });
  elements("filters").forEach((element, index) => {
    const path = `filters[${index}]`;
    const { value } = checkElement(path, element, { operator: "string", not: "boolean" });
    if (value === undefined) return;
    if (!Array.isArray(value) || value.some((entry) => typeof entry !== "string")) {
      fail(`${path}.value`, "an array of strings", value);
    }
  });
  elements("dateFilters").forEach((element, index) => {
    checkElement(`dateFilters[${index}]`, element, {
      start: "string",
      end: "string",
      not: "boolean",
    });
  });
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new ConfigurationError("body", "body can't be written as JSON", { cause });
  }
}

/** Every element names a field; its other members have the given types, or are missing. */
function checkElement(
  path: string,
  element: unknown,
  types: Readonly<Record<string, "string" | "boolean">>,
): Record<string, unknown> {
  if (!isObject(element)) fail(path, "an object", element);
  const { field } = element;
  if (typeof field !== "string" || field === "") {
    fail(`${path}.field`, "the name of a field", field);
  }
  for (const [name, type] of Object.entries(types)) {
    const value = element[name];
    if (value !== undefined && typeof value !== type) fail(`${path}.${name}`, `a ${type}`, value);
  }
  return element;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fail(path: string, expected: string, value: unknown): never {
  throw new ConfigurationError(path, `${path} must be ${expected}, but got ${describe(value)}`);
}

/** Names a value in a message, without repeating long or secret text. */
function describe(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean" || value == null) {
    return String(value);
  }
  if (typeof value === "string") return value === "" ? "an empty string" : "a string";
  return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
}
