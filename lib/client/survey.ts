/** Compares what a service really sends with what the interface says. */
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
  type RequestPlan,
  searchRequest,
} from "./transport/request.ts";
import { inexactIn } from "./row_checks.ts";
import { type ClientOptions, resolveOptions } from "./transport/settings.ts";
import { send } from "./transport/transport.ts";

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

export interface OperationSurvey {
  readonly operation: "search file sets" | "get report history";
  readonly rows: number;
  /** The fields that the interface lists, in its order, then all others. */
  readonly fields: readonly SurveyedField[];
}

/**
 * Reports every field of one page of each operation, or of file sets only, without rejecting anything.
 * Values are not in the report.
 */
export async function surveyService(
  client: ClientOptions,
  scheduleId?: number,
): Promise<OperationSurvey[]> {
  const baseUrl = normalizeBaseUrl(client.baseUrl);
  const settings = resolveOptions(client);
  const ask = async (plan: RequestPlan) => (await send(plan, parseJson, settings)).data;
  const surveys = [surveyAnswer("search file sets", await ask(searchRequest(baseUrl, "{}")))];
  if (scheduleId !== undefined) {
    const answer = await ask(historyRequest(baseUrl, scheduleId));
    surveys.push(surveyAnswer("get report history", answer));
  }
  return surveys;
}

/** The type of an integer beyond 2^53, and of what holds one. */
const INEXACT = "inexact integer";

/** Reports every field of one parsed answer, whatever it is. */
export function surveyAnswer(
  operation: OperationSurvey["operation"],
  answer: unknown,
): OperationSurvey {
  const isSearch = operation === "search file sets";
  const documented = isSearch ? searchTypes() : historyTypes();
  const seen = new Map<string, Record<string, number>>();
  const visit = (path: string, value: unknown) => {
    const types = seen.get(path) ?? {};
    seen.set(path, types);
    const known = documented[path]?.type;
    const type = !known && inexactIn(value) ? INEXACT : typeOf(value);
    types[type] = (types[type] ?? 0) + 1;
    // What the interface does not list is reported as it is, without its members.
    if (type !== known) return;
    if (type === "array") { for (const element of value as unknown[]) visit(`${path}[]`, element); }
    if (type === "object") {
      for (const [name, inner] of Object.entries(value as object)) {
        visit(path === "" ? name : `${path}.${name}`, inner);
      }
    }
  };
  visit("", answer);

  const paths = new Set([...Object.keys(documented), ...seen.keys()]);
  const countOf = (path: string) =>
    Object.values(seen.get(path) ?? {}).reduce((sum, count) => sum + count, 0);
  const fields = [...paths].map((path): SurveyedField => {
    const types = seen.get(path) ?? {};
    const isElement = path === "" || path.endsWith("[]");
    const parent = path.slice(0, Math.max(0, path.lastIndexOf(".")));
    const objects = documented[parent]?.type === "object" ? seen.get(parent)?.object ?? 0 : 0;
    const missing = isElement ? 0 : objects - countOf(path);
    const { type, isNeeded } = documented[path] ?? {};
    const isOther = (came: string) => came !== type && (isNeeded || came !== "null");
    return {
      path: path === "" ? "(answer)" : path,
      ...(type && { documented: type }),
      types,
      missing,
      isGood: type
        ? !Object.keys(types).some(isOther) && !(isNeeded && missing > 0)
        : !(INEXACT in types),
    };
  });
  return { operation, rows: countOf(isSearch ? "fileSets[]" : "[]"), fields };
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (!Number.isInteger(value)) return typeof value;
  return Number.isSafeInteger(value) ? "integer" : INEXACT;
}

/** The types that the interface gives, by path, and whether the client can do without. */
type Documented = Readonly<Record<string, { readonly type: string; readonly isNeeded: boolean }>>;

function searchTypes(): Documented {
  return {
    "": { type: "object", isNeeded: true },
    "fileSets": { type: "array", isNeeded: true },
    "fileSets[]": { type: "object", isNeeded: true },
    ...typesOf("fileSets[].", FILE_SET_FIELDS),
    "pageContext": { type: "object", isNeeded: true },
    ...typesOf("pageContext.", PAGE_CONTEXT_FIELDS),
  };
}

function historyTypes(): Documented {
  return {
    "": { type: "array", isNeeded: true },
    "[]": { type: "object", isNeeded: true },
    ...typesOf("[].", RUN_FIELDS),
    "[].recipients": { type: "array", isNeeded: false },
    "[].recipients[]": { type: "object", isNeeded: true },
    ...typesOf("[].recipients[].", RECIPIENT_FIELDS),
  };
}

function typesOf(path: string, fields: Readonly<Record<string, Field>>): Documented {
  const types = Object.entries(fields).map(([name, { kind, mayBeMissing }]) => [
    path + name,
    { type: kind === "date-time" ? "string" : kind, isNeeded: !mayBeMissing },
  ]);
  return Object.fromEntries(types);
}
