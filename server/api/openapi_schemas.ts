import type { Schema } from "../http/shape.ts";
import { LIMITS } from "../store/file_sets/read_search.ts";
import {
  type Field,
  type FieldKind,
  FILE_SET_FIELDS,
  OPERATORS,
  RECIPIENT_FIELDS,
  RUN_FIELDS,
} from "../../lib/fields.ts";
import { FIELDS } from "../store/file_sets/fields.ts";

export function schemas(): Record<string, Schema> {
  return {
    FileSet: record(
      { ...fieldTypes(FILE_SET_FIELDS), id: { type: "string", format: "uuid" } },
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
      fieldSort: orNull(list(ref("FieldSort"), LIMITS.sortKeys)),
      filters: orNull(list(ref("Filter"), LIMITS.filters)),
      dateFilters: orNull(list(ref("DateFilter"), LIMITS.dateFilters)),
    }, ["fieldSort", "filters", "dateFilters"]),
    FieldSort: record({
      field: { enum: fieldNames() },
      order: { enum: ["ASC", "DESC", null], default: "ASC" },
    }, ["order"]),
    Filter: {
      ...record({
        field: { enum: fieldNames() },
        value: orNull(list({ type: ["string", "number", "boolean"] }, LIMITS.values)),
        not: { type: ["boolean", "null"], default: false },
        operator: { enum: [...OPERATORS, null], default: "EQUALS" },
      }, ["value", "not", "operator"]),
      allOf: [
        withOperator("IS_NULL", { value: { maxItems: 0 } }, {
          required: ["value"],
          properties: { value: { type: "array", minItems: 1 } },
        }),
        withOperator("LIKE", { field: { enum: fieldNames("string") } }),
      ],
    },
    DateFilter: {
      ...record({
        field: { enum: fieldNames("date-time") },
        start: { ...orNull(dateTime()), description: "Included" },
        end: { ...orNull(dateTime()), description: "Excluded" },
        not: { type: ["boolean", "null"], default: false },
      }, ["start", "end", "not"]),
      anyOf: ["start", "end"].map((bound) => ({
        required: [bound],
        properties: { [bound]: { type: "string" } },
      })),
    },
    ReportRun: record({
      ...fieldTypes(RUN_FIELDS),
      attachmentSize: { ...integer(), description: "Bytes" },
      emailSize: { ...integer(), description: "Bytes" },
      recipients: { type: "array", items: ref("Recipient") },
    }, ["endTime"]),
    Recipient: record({
      ...fieldTypes(RECIPIENT_FIELDS),
      emailAddress: { type: "string", description: "An email address" },
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
        pointer: { type: "string", description: "The location in the body, as a JSON pointer" },
        parameter: { type: "string", description: "The name of the parameter" },
        detail: text(),
      }, ["pointer", "parameter"]),
      oneOf: [{ required: ["pointer"] }, { required: ["parameter"] }],
    },
  };
}

function fieldNames(kind?: FieldKind): readonly string[] {
  return FIELDS.filter((field) => !kind || field.kind === kind).map(({ name }) => name);
}

const TYPES: Readonly<Record<FieldKind, () => Schema>> = {
  string: text,
  integer: () => integer(),
  boolean: () => ({ type: "boolean" }),
  "date-time": dateTime,
};

function fieldTypes(fields: Readonly<Record<string, Field>>): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { kind }]) => [name, TYPES[kind]()]),
  );
}

/** Additional rules for filters with this operator, and for all others. */
function withOperator(operator: string, properties: Schema, otherwise?: Schema): Schema {
  return {
    if: { properties: { operator: { const: operator } }, required: ["operator"] },
    then: { properties },
    ...(otherwise && { else: otherwise }),
  };
}

/** An object with these members and no others; all except the optional ones are required. */
function record(properties: Schema, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required, additionalProperties: false };
}

function list(items: Schema, maxItems: number): Schema {
  return { type: "array", items, maxItems };
}

/** The schema of a member for which null is as good as absent. */
function orNull(schema: Schema): Schema {
  return { ...schema, type: [schema.type, "null"] };
}

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

export function text(): Schema {
  return { type: "string" };
}

function dateTime(): Schema {
  return { type: "string", format: "date-time" };
}

export function integer(minimum?: number): Schema {
  return minimum === undefined ? { type: "integer" } : { type: "integer", minimum };
}
