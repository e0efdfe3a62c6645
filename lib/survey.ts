/**
 * What a service really sends, beside what the interface says it sends.
 *
 * @module
 */

import { parseJson } from "./decode.ts";
import { normalizeBaseUrl, planHistory, planSearch, type RequestPlan } from "./request.ts";
import { type ClientOptions, readSettings } from "./settings.ts";
import { send } from "./transport.ts";

/** One field of the answers, documented or not. */
export interface SurveyedField {
  /** Where it is, for example `fileSets[].owner`. */
  readonly path: string;
  /** The type that the interface gives it; missing when it does not list the field. */
  readonly documented?: string;
  /** How often each type came: `string`, `integer`, `number`, `boolean`, `array`, `object`, `null`. */
  readonly types: Readonly<Record<string, number>>;
  /** In how many of the objects that could have it, it is missing. */
  readonly missing: number;
  /** Whether the client can work with it. */
  readonly isGood: boolean;
}

/** What one operation sends. */
export interface OperationSurvey {
  /** The operation. */
  readonly operation: "search file sets" | "get report history";
  /** Number of rows that were looked at. */
  readonly rows: number;
  /** Every field that the interface lists, in its order, and then those that it does not. */
  readonly fields: readonly SurveyedField[];
}

/** What to ask for. */
export interface SurveyOptions {
  /** Id of a report schedule; without one, only file sets are asked for. */
  readonly scheduleId?: number;
  /** The most rows to look at. Default: 100. */
  readonly limit?: number;
}

/**
 * Asks a service for one page of each operation and reports every field that came, without
 * refusing anything. It tells why a client finds an answer unusable, and what the service sends
 * beyond the interface. Values are not in the report.
 *
 * @param client Where the service is, as for `createClient`.
 * @param options What to ask for.
 * @returns One survey an operation.
 * @throws {DocketError} When there is no answer, or one that is no JSON.
 *
 * @example
 * ```ts
 * import { surveyService } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const [{ fields }] = await surveyService({
 *   baseUrl: "https://service.example",
 *   token: "secret",
 *   // Stands in for a service that writes its totals as text.
 *   fetch: () => Promise.resolve(Response.json({ fileSets: [], pageContext: { total: "7" } })),
 * });
 * const total = fields.find(({ path }) => path === "pageContext.total");
 * assertEquals(total, {
 *   path: "pageContext.total",
 *   documented: "integer",
 *   types: { string: 1 },
 *   missing: 0,
 *   isGood: false,
 * });
 * ```
 */
export async function surveyService(
  client: ClientOptions,
  { scheduleId, limit = 100 }: SurveyOptions = {},
): Promise<OperationSurvey[]> {
  const baseUrl = normalizeBaseUrl(client.baseUrl);
  const settings = readSettings(client);
  const ask = (plan: RequestPlan) => send(plan, parseJson, settings);
  const surveys = [
    surveyAnswer("search file sets", await ask(planSearch(baseUrl, "{}", { limit }))),
  ];
  if (scheduleId !== undefined) {
    const answer = await ask(planHistory(baseUrl, scheduleId, { limit }));
    surveys.push(surveyAnswer("get report history", answer));
  }
  return surveys;
}

/**
 * Reports every field of one answer.
 *
 * @param operation What was asked.
 * @param answer The parsed answer, whatever it is.
 * @returns The survey.
 */
export function surveyAnswer(
  operation: OperationSurvey["operation"],
  answer: unknown,
): OperationSurvey {
  const isSearch = operation === "search file sets";
  const documented = isSearch ? SEARCH : HISTORY;
  const seen = new Map<string, { types: Record<string, number>; present: number }>();
  const objects = new Map<string, number>();
  const look = (path: string, value: unknown) => {
    const field = seen.get(path) ?? { types: {}, present: 0 };
    seen.set(path, field);
    const type = typeOf(value);
    field.types[type] = (field.types[type] ?? 0) + 1;
    field.present++;
    if (Array.isArray(value)) {
      // Lists that the interface does not know are told as such, and not taken apart.
      if (path === "" || path === "fileSets" || path === "[].recipients") {
        for (const element of value) look(`${path}[]`, element);
      }
    } else if (type === "object" && (documented[path] === "object" || path === "")) {
      objects.set(path, (objects.get(path) ?? 0) + 1);
      for (const [name, inner] of Object.entries(value as object)) {
        look(path === "" ? name : `${path}.${name}`, inner);
      }
    }
  };
  look("", answer);

  const extra = [...seen.keys()].filter((path) => path !== "" && !(path in documented));
  const fields = [...Object.keys(documented), ...extra].map((path): SurveyedField => {
    const { types, present } = seen.get(path) ?? { types: {}, present: 0 };
    const type = documented[path];
    const isElement = path.endsWith("[]") || path === "";
    const parent = path.slice(0, Math.max(0, path.lastIndexOf(".")));
    const missing = isElement ? 0 : Math.max(0, (objects.get(parent) ?? 0) - present);
    return {
      path: path === "" ? "(answer)" : path,
      ...(type === undefined ? {} : { documented: type }),
      types,
      missing,
      isGood: type === undefined || isUsable(path, type, types, missing),
    };
  });
  const rows = seen.get(isSearch ? "fileSets[]" : "[]")?.present ?? 0;
  return { operation, rows, fields };
}

/** An id and the envelope have to be there; anything else may be missing or null. */
function isUsable(
  path: string,
  type: string,
  types: Readonly<Record<string, number>>,
  missing: number,
): boolean {
  const isNeeded = type === "array" && path !== "[].recipients" || type === "object" ||
    /^(fileSets)?\[\]\.id$/.test(path);
  const isOther = Object.keys(types).some((came) => came !== type && (isNeeded || came !== "null"));
  return !isOther && !(isNeeded && missing > 0);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

const SEARCH: Readonly<Record<string, string>> = {
  "": "object",
  "fileSets": "array",
  "fileSets[]": "object",
  "fileSets[].id": "string",
  "fileSets[].name": "string",
  "fileSets[].description": "string",
  "fileSets[].created": "string",
  "fileSets[].createdBy": "integer",
  "fileSets[].updated": "string",
  "fileSets[].updatedBy": "integer",
  "fileSets[].owner": "string",
  "fileSets[].permission": "string",
  "fileSets[].fileCount": "integer",
  "pageContext": "object",
  "pageContext.next": "string",
  "pageContext.offset": "integer",
  "pageContext.limit": "integer",
  "pageContext.total": "integer",
};

const HISTORY: Readonly<Record<string, string>> = {
  "": "array",
  "[]": "object",
  "[].id": "integer",
  "[].reportId": "integer",
  "[].reportTitle": "string",
  "[].reportSubject": "string",
  "[].startTime": "string",
  "[].endTime": "string",
  "[].automated": "boolean",
  "[].cardCount": "integer",
  "[].attachmentCount": "integer",
  "[].attachmentSize": "integer",
  "[].emailSize": "integer",
  "[].status": "string",
  "[].ownerId": "integer",
  "[].recipientCount": "integer",
  "[].resourceType": "string",
  "[].resourceId": "integer",
  "[].resourceName": "string",
  "[].recipients": "array",
  "[].recipients[]": "object",
  "[].recipients[].userId": "integer",
  "[].recipients[].displayName": "string",
  "[].recipients[].emailAddress": "string",
};
