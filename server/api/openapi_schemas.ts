/**
 * The values of the interface as JSON schemas, for OpenAPI.
 *
 * @module
 */

import { LIMITS } from "../store/validate.ts";
import { OPERATORS } from "../../lib/fields.ts";
import { FIELDS } from "../store/fields.ts";

/** A piece of the document. */
export type Schema = Readonly<Record<string, unknown>>;

/** Every schema, by name. */
export function schemas(): Record<string, Schema> {
  const kinds = { string: text(), integer: integer(), "date-time": dateTime() };
  const fields = FIELDS.map((field) => field.name);
  return {
    FileSet: record(
      Object.fromEntries(FIELDS.map(({ name, kind }) => [
        name,
        name === "id" ? { type: "string", format: "uuid" } : kinds[kind],
      ])),
      ["description"],
    ),
    PageContext: record({
      next: { type: "string", description: "The next offset as text, empty on the last page" },
      offset: integer(0),
      limit: integer(1),
      total: integer(0),
    }),
    FileSetPage: record({
      fileSets: { type: "array", items: ref("FileSet") },
      pageContext: ref("PageContext"),
    }),
    SearchBody: record({
      fieldSort: list(ref("FieldSort"), LIMITS.sortKeys),
      filters: list(ref("Filter"), LIMITS.filters),
      dateFilters: list(ref("DateFilter"), LIMITS.dateFilters),
    }, ["fieldSort", "filters", "dateFilters"]),
    FieldSort: record({
      field: { enum: fields },
      order: { enum: ["ASC", "DESC"], default: "ASC" },
    }, ["order"]),
    Filter: record({
      field: { enum: fields },
      value: list(text(), LIMITS.values),
      not: { type: "boolean", default: false },
      operator: { enum: OPERATORS, default: "EQUALS" },
    }, ["value", "not", "operator"]),
    DateFilter: {
      ...record({
        field: { enum: FIELDS.filter(({ kind }) => kind === "date-time").map(({ name }) => name) },
        start: { ...dateTime(), description: "Included" },
        end: { ...dateTime(), description: "Excluded" },
        not: { type: "boolean", default: false },
      }, ["start", "end", "not"]),
      anyOf: [{ required: ["start"] }, { required: ["end"] }],
    },
    ReportRun: record({
      id: integer(),
      reportId: integer(),
      reportTitle: text(),
      reportSubject: text(),
      startTime: dateTime(),
      endTime: dateTime(),
      automated: { type: "boolean" },
      cardCount: integer(),
      attachmentCount: integer(),
      attachmentSize: { ...integer(), description: "Bytes" },
      emailSize: { ...integer(), description: "Bytes" },
      status: text(),
      ownerId: integer(),
      recipientCount: integer(),
      resourceType: text(),
      resourceId: integer(),
      resourceName: text(),
      recipients: { type: "array", items: ref("Recipient") },
    }, ["endTime"]),
    Recipient: record({
      userId: integer(),
      displayName: text(),
      emailAddress: { type: "string", description: "An e-mail address" },
    }),
    Problem: record({
      type: { type: "string", format: "uri" },
      title: text(),
      status: integer(400),
      detail: text(),
      requestId: text(),
      errors: { type: "array", items: ref("ValidationIssue") },
    }),
    ValidationIssue: {
      ...record({
        pointer: { type: "string", description: "Where in the body, as a JSON pointer" },
        parameter: { type: "string", description: "Which parameter" },
        detail: text(),
      }, ["pointer", "parameter"]),
      oneOf: [{ required: ["pointer"] }, { required: ["parameter"] }],
    },
  };
}

/** An object with these members and no others; all are there but the optional ones. */
function record(properties: Schema, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required, additionalProperties: false };
}

function list(items: Schema, maxItems: number): Schema {
  return { type: "array", items, maxItems };
}

/** A schema by its name. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Any text. */
export function text(): Schema {
  return { type: "string" };
}

function dateTime(): Schema {
  return { type: "string", format: "date-time" };
}

/** A whole number. */
export function integer(minimum?: number): Schema {
  return minimum === undefined ? { type: "integer" } : { type: "integer", minimum };
}
