/** Compares the answers of a service with the interface. */
import { parseJson } from "./decode.ts";
import {
  type Field,
  FILE_SET_FIELDS,
  PAGE_CONTEXT_FIELDS,
  RECIPIENT_FIELDS,
  RUN_FIELDS,
} from "../fields.ts";
import {
  historyRequest,
  normalizeBaseUrl,
  type RequestSpec,
  searchRequest,
} from "./transport/request.ts";
import { inexactIn, isInexact, isTime } from "./row_checks.ts";
import { type ClientOptions, resolveOptions } from "./transport/settings.ts";
import { send } from "./transport/transport.ts";

export interface SurveyedField {
  /** Its path, for example `fileSets[].owner`. */
  readonly path: string;
  /** Its type in the interface; missing if the interface does not list it. */
  readonly documented?: string;
  /** How often each type was received; an integer beyond 2^53 is an `inexact integer`. */
  readonly types: Readonly<Record<string, number>>;
  /** In how many objects it is missing. */
  readonly missing: number;
  /** Whether the client can work with it. */
  readonly isGood: boolean;
}

export interface OperationSurvey {
  readonly operation: "search file sets" | "get report history";
  readonly rows: number;
  /** The fields that the interface lists, in its order, then all others. */
  readonly fields: readonly SurveyedField[];
}

/** Reports the fields of a page of file sets and of runs; but no values. */
export async function surveyService(
  client: ClientOptions,
  scheduleId: number,
): Promise<OperationSurvey[]> {
  const baseUrl = normalizeBaseUrl(client.baseUrl);
  const settings = resolveOptions(client);
  const answerTo = async (request: RequestSpec) => (await send(request, parseJson, settings)).data;
  const fileSets = await answerTo(searchRequest(baseUrl, "{}"));
  const runs = await answerTo(historyRequest(baseUrl, scheduleId));
  return [surveyAnswer("search file sets", fileSets), surveyAnswer("get report history", runs)];
}

/** The type of a date-time that is a number. */
const MILLISECONDS = "milliseconds";

/** The type of an integer beyond 2^53, and of an unlisted value that contains one. */
const INEXACT = "inexact integer";

/** Reports every field of one parsed answer, whatever its shape. */
function surveyAnswer(
  operation: OperationSurvey["operation"],
  answer: unknown,
): OperationSurvey {
  const listed = LISTED[operation];
  const seen = new Map<string, Record<string, number>>();
  const visit = (path: string, value: unknown) => {
    const known = listed[path];
    const type = nameType(value, known);
    const types = seen.get(path) ?? {};
    seen.set(path, { ...types, [type]: (types[type] ?? 0) + 1 });
    // A value that the interface does not list is reported without its members.
    if (type !== known?.type) return;
    if (type === "array") { for (const element of value as unknown[]) visit(`${path}[]`, element); }
    if (type === "object") {
      for (const [name, inner] of Object.entries(value as object)) {
        visit(path === "" ? name : `${path}.${name}`, inner);
      }
    }
  };
  visit("", answer);

  // The client takes the name of a file set for its id if that is missing.
  const fileSets: unknown = Object(answer).fileSets;
  const mayLackIds = Array.isArray(fileSets) &&
    fileSets.every((row) => Object(row).id || Object(row).name);
  const countSeen = (path: string) =>
    Object.values(seen.get(path) ?? {}).reduce((sum, count) => sum + count, 0);
  const fields = [...new Set([...Object.keys(listed), ...seen.keys()])].map((path) => {
    const types = seen.get(path) ?? {};
    const isElement = path === "" || path.endsWith("[]");
    const parent = path.slice(0, Math.max(0, path.lastIndexOf(".")));
    const missing = isElement ? 0 : (seen.get(parent)?.object ?? 0) - countSeen(path);
    const { type } = listed[path] ?? {};
    const isRequired = listed[path]?.isRequired && !(mayLackIds && path === "fileSets[].id");
    const isWrong = (received: string) =>
      received !== type && received !== MILLISECONDS && (isRequired || received !== "null");
    return {
      path: path === "" ? "(answer)" : path,
      ...(type && { documented: type }),
      types,
      missing,
      isGood: type
        ? !Object.keys(types).some(isWrong) && !(isRequired && missing > 0)
        : !(INEXACT in types),
    };
  });
  const rows = countSeen(operation === "search file sets" ? "fileSets[]" : "[]");
  return { operation, rows, fields };
}

function nameType(value: unknown, known: Listed | undefined): string {
  if (known?.isTime && isTime(value)) return MILLISECONDS;
  if (!known && inexactIn(value)) return INEXACT;
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isInexact(value)) return INEXACT;
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** A field that the interface lists. */
interface Listed {
  readonly type: string;
  /** Whether the client requires it. */
  readonly isRequired: boolean;
  readonly isTime?: boolean;
}

/** The fields of each answer that the interface lists, by their paths. */
const LISTED: Readonly<Record<OperationSurvey["operation"], Readonly<Record<string, Listed>>>> = {
  "search file sets": {
    "": { type: "object", isRequired: true },
    "fileSets": { type: "array", isRequired: true },
    "fileSets[]": { type: "object", isRequired: true },
    ...listFields("fileSets[].", FILE_SET_FIELDS),
    "pageContext": { type: "object", isRequired: true },
    ...listFields("pageContext.", PAGE_CONTEXT_FIELDS),
  },
  "get report history": {
    "": { type: "array", isRequired: true },
    "[]": { type: "object", isRequired: true },
    ...listFields("[].", RUN_FIELDS),
    "[].recipients": { type: "array", isRequired: false },
    "[].recipients[]": { type: "object", isRequired: true },
    ...listFields("[].recipients[].", RECIPIENT_FIELDS),
  },
};

function listFields(path: string, fields: Readonly<Record<string, Field>>): Record<string, Listed> {
  const listed = Object.entries(fields).map(([name, { kind, mayBeMissing }]) => {
    const isTime = kind === "date-time";
    return [path + name, { type: isTime ? "string" : kind, isRequired: !mayBeMissing, isTime }];
  });
  return Object.fromEntries(listed);
}
