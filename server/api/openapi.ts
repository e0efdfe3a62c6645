/** The interface and the API of records in OpenAPI 3.1, from the descriptions that requests are read by. */
import { neededRole } from "../actions/roles.ts";
import { RECORDS_API } from "../http/paths.ts";
import { TITLES } from "../http/problem.ts";
import {
  integer,
  list,
  type MemberShapes,
  named,
  NAMED_SCHEMAS,
  optional,
  record,
  refine,
  type Schema,
  text,
} from "../http/shape.ts";
import type { RecordOperation } from "./operation.ts";
import { RECORD_OPERATIONS } from "./records.ts";
import { HISTORY, SEARCH } from "./service_operations.ts";

const ISSUE = named(
  "ValidationIssue",
  refine(
    record({
      pointer: optional(text({ description: "The location in the body, as a JSON pointer" })),
      parameter: optional(text({ description: "The name of the parameter" })),
      detail: text(),
    }),
    () => {},
    { oneOf: [{ required: ["pointer"] }, { required: ["parameter"] }] },
  ),
);
const PROBLEM = named(
  "Problem",
  record({
    type: text({ format: "uri" }),
    title: text(),
    status: integer({ min: 400 }),
    detail: text(),
    requestId: text(),
    errors: list(ISSUE),
  }),
);

/** The document of the server at `origin`; `tokenHeader` is the header with the token. */
export function openApi(
  { origin, tokenHeader }: { readonly origin: string; readonly tokenHeader: string },
): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const each of [SEARCH, HISTORY, ...RECORD_OPERATIONS.map(describeRecords)]) {
    const path = each.path.replace(/:(\w+)/g, "{$1}");
    (paths[path] ??= {})[each.method.toLowerCase()] = describeOperation(each);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "File sets and report schedule history",
      version: "1",
      description: "Search file sets, and read the run history of a report schedule. Where the " +
        "interface leaves something open, this describes Docket's embedded service.",
      contact: { name: "Whoever runs this server" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: origin }],
    tags: [
      { name: "File sets", description: "The file sets of the platform" },
      { name: "Report schedules", description: "Reports sent by email, and their runs" },
      { name: "Records", description: "What Docket itself keeps. Never by cookie" },
    ],
    security: [{ developerToken: [] }],
    paths,
    components: {
      securitySchemes: {
        developerToken: { type: "apiKey", in: "header", name: tokenHeader },
      },
      schemas: Object.fromEntries(NAMED_SCHEMAS),
      responses: responses(),
    },
  };
}

interface Described
  extends
    Pick<RecordOperation, "path" | "id" | "summary" | "description">,
    Partial<Pick<RecordOperation, "params" | "query" | "body" | "answer" | "status">> {
  readonly method: string;
  readonly tag: string;
  readonly csv?: { readonly description: string };
}

const ROLE_WORDS = {
  everybody: "everybody",
  user: "every accepted token",
  reader: "readers and operators",
  operator: "operators",
} as const;

function describeRecords({ path, description, ...operation }: RecordOperation): Described {
  const whole = RECORDS_API + path;
  const needed = ROLE_WORDS[neededRole(operation.method, whole)];
  return {
    ...operation,
    path: whole,
    tag: "Records",
    description: `${description} For ${needed}.`,
  };
}

function describeOperation(operation: Described): Schema {
  const { id, tag, summary, description, params, query, body, csv, answer } = operation;
  const parameters = [...parametersIn("path", params), ...parametersIn("query", query)];
  const content = {
    ...body && { "application/json": { schema: body.schema } },
    ...csv && { "text/csv": { schema: { type: "string", description: csv.description } } },
  };
  const hasBody = body !== undefined || csv !== undefined;
  const { status = answer ? 200 : 204 } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...parameters.length > 0 && { parameters },
    ...hasBody && { requestBody: { required: true, content } },
    responses: {
      [status]: answer
        ? { description: summary, content: { "application/json": { schema: answer.schema } } }
        : { description: "Done" },
      ...problems(400, 401, 403, 404, 405, 409, 414, 421, 429, 500, 502, 503, 504),
      ...hasBody && problems(408, 413, 415),
    },
  };
}

function parametersIn(place: "path" | "query", members: MemberShapes = {}): Schema[] {
  return Object.entries(members).map(([name, { schema, isOptional }]) => ({
    name,
    in: place,
    required: !isOptional,
    schema,
  }));
}

function responses(): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(TITLES).map(([status, [, description]]) => [`Problem${status}`, {
      description,
      content: { "application/problem+json": { schema: PROBLEM.schema } },
    }]),
  );
}

function problems(...statuses: number[]): Record<string, Schema> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
  );
}
