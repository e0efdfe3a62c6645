/** Compares what a service really sends with what the interface says. */
import { parseJson } from "./decode.ts";
import {
  type Field,
  FILE_SET_FIELDS,
  PAGE_CONTEXT_FIELDS,
  RECIPIENT_FIELDS,
  RUN_FIELDS,
} from "../fields.ts";
import { DEFAULT_LIMIT } from "./backend.ts";
import {
  historyRequest,
  normalizeBaseUrl,
  type RequestPlan,
  searchRequest,
} from "./transport/request.ts";
import { inexactIn } from "./row_checks.ts";
import { type ClientOptions, resolveOptions } from "./transport/settings.ts";
import { send } from "./transport/transport.ts";

/** One field of the answers, documented or not. */
export interface SurveyedField {
  /** Where it is, for example `fileSets[].owner`. */
  readonly path: string;
  /** The type that the interface gives it; missing when it does not list the field. */
  readonly documented?: string;
  /**
   * How often each type came: `string`, `integer`, `number`, `boolean`, `array`, `object`, `null`, or
   * `inexact integer` for one beyond 2^53.
   */
  readonly types: Readonly<Record<string, number>>;
  /** How many of the objects that could have it lack it. */
  readonly missing: number;
  /** Whether the client can work with it. */
  readonly isGood: boolean;
}

/** What one operation sends. */
export interface OperationSurvey {
  /** The operation. */
  readonly operation: "search file sets" | "get report history";
  /** Number of rows that were checked. */
  readonly rows: number;
  /** The fields that the interface lists, in its order, then all others. */
  readonly fields: readonly SurveyedField[];
}

/** What to ask for. */
export interface SurveyOptions {
  /** Id of a report schedule. Without one, only file sets are requested. */
  readonly scheduleId?: number;
  /** The most rows to check. Default: 100. */
  readonly limit?: number;
}

/**
 * Asks a service for one page of each operation and reports every field that came, without
 * rejecting anything. It shows why a client finds an answer unusable, and what the service sends
 * beyond the interface. Values are not in the report.
 *
 * @param client Where the service is, as for `createClient`.
 * @returns One survey for each operation.
 * @throws {DocketError} When there is no answer, or one that is no JSON.
 */
export async function surveyService(
  client: ClientOptions,
  { scheduleId, limit = DEFAULT_LIMIT }: SurveyOptions = {},
): Promise<OperationSurvey[]> {
  const baseUrl = normalizeBaseUrl(client.baseUrl);
  const settings = resolveOptions(client);
  const ask = (plan: RequestPlan) => send(plan, parseJson, settings);
  const surveys = [
    surveyAnswer("search file sets", await ask(searchRequest(baseUrl, "{}", { limit }))),
  ];
  if (scheduleId !== undefined) {
    const answer = await ask(historyRequest(baseUrl, scheduleId, { limit }));
    surveys.push(surveyAnswer("get report history", answer));
  }
  return surveys;
}

/**
 * Reports every field of one answer.
 *
 * @param answer The parsed answer, whatever it is.
 */
export function surveyAnswer(
  operation: OperationSurvey["operation"],
  answer: unknown,
): OperationSurvey {
  const isSearch = operation === "search file sets";
  const documented = isSearch ? searchTypes() : historyTypes();
  const seen = new Map<string, { types: Record<string, number>; present: number }>();
  const objects = new Map<string, number>();
  const visit = (path: string, value: unknown) => {
    const field = seen.get(path) ?? { types: {}, present: 0 };
    seen.set(path, field);
    const isInexact = !(path in documented) && inexactIn(value) !== undefined;
    const type = isInexact ? INEXACT : typeOf(value);
    field.types[type] = (field.types[type] ?? 0) + 1;
    field.present++;
    if (Array.isArray(value)) {
      // Lists that the interface does not know are reported as lists; their elements are not.
      if (path === "" || path === "fileSets" || path === "[].recipients") {
        for (const element of value) visit(`${path}[]`, element);
      }
    } else if (type === "object" && (documented[path] === "object" || path === "")) {
      objects.set(path, (objects.get(path) ?? 0) + 1);
      for (const [name, inner] of Object.entries(value as object)) {
        visit(path === "" ? name : `${path}.${name}`, inner);
      }
    }
  };
  visit("", answer);

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
      isGood: type === undefined ? !(INEXACT in types) : isUsable(path, type, types, missing),
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
  if (!Number.isInteger(value)) return typeof value;
  return Number.isSafeInteger(value) ? "integer" : INEXACT;
}

/** The type of an integer beyond 2^53, and of what holds one. */
const INEXACT = "inexact integer";

/** The type that the interface gives each path of the answer to a search. */
function searchTypes(): Record<string, string> {
  return {
    "": "object",
    "fileSets": "array",
    "fileSets[]": "object",
    ...typesOf("fileSets[].", FILE_SET_FIELDS),
    "pageContext": "object",
    ...typesOf("pageContext.", PAGE_CONTEXT_FIELDS),
  };
}

function historyTypes(): Record<string, string> {
  return {
    "": "array",
    "[]": "object",
    ...typesOf("[].", RUN_FIELDS),
    "[].recipients": "array",
    "[].recipients[]": "object",
    ...typesOf("[].recipients[].", RECIPIENT_FIELDS),
  };
}

function typesOf(path: string, fields: Readonly<Record<string, Field>>): Record<string, string> {
  const types = Object.entries(fields).map(([name, { kind }]) =>
    [path + name, kind === "date-time" ? "string" : kind] as const
  );
  return Object.fromEntries(types);
}
