/** The embedded service's interface in OpenAPI 3.1, with its types and limits. */
import { DEFAULT_LIMIT } from "../../lib/client/backend.ts";
import { TITLES } from "../http/problem.ts";
import { MAX_BODY_BYTES } from "../http/request_body.ts";
import { integer, ref, schemas } from "./openapi_schemas.ts";
import { neededRole } from "../actions/roles.ts";
import { RECORDS_API } from "../http/paths.ts";
import { NAMED_SCHEMAS, type Schema } from "../http/shape.ts";
import type { RecordOperation } from "./operation.ts";
import { RECORD_OPERATIONS } from "./records.ts";
import { LIMITS } from "../store/file_sets/read_search.ts";

/** The document of the server at `origin`; `tokenHeader` is the header with the token. */
export function openApi(
  { origin, tokenHeader }: { readonly origin: string; readonly tokenHeader: string },
): Schema {
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
    paths: {
      "/api/files/v1/filesets/search": { post: searchOperation() },
      "/api/content/v1/reportschedules/{scheduleId}/history": { get: historyOperation() },
      ...recordPaths(),
    },
    components: {
      securitySchemes: {
        developerToken: { type: "apiKey", in: "header", name: tokenHeader },
      },
      schemas: { ...schemas(), ...Object.fromEntries(NAMED_SCHEMAS) },
      responses: responses(),
    },
  };
}

function searchOperation(): Schema {
  return {
    operationId: "searchFileSets",
    summary: "Search file sets",
    description: "One page of the matching file sets. All conditions have to hold; a condition " +
      "holds if any of its values matches. A condition with `not` is negated, and then also " +
      "matches a missing value.",
    tags: ["File sets"],
    parameters: [
      pageParameter("limit", "The most file sets to return", 1, DEFAULT_LIMIT, LIMITS.pageSize),
      pageParameter("offset", "Number of matches to skip", 0, 0),
    ],
    requestBody: {
      required: true,
      description: `At most ${MAX_BODY_BYTES} bytes. {} lists all file sets.`,
      content: { "application/json": { schema: ref("SearchBody") } },
    },
    responses: {
      200: success("The matching file sets", ref("FileSetPage")),
      ...problems(400, 401, 403, 405, 408, 409, 413, 414, 415, 421, 429, 500, 502, 503, 504),
    },
  };
}

function historyOperation(): Schema {
  return {
    operationId: "getReportHistory",
    summary: "Get report history by schedule id",
    description: "Some of the runs of one report schedule, newest first, as a bare array.",
    tags: ["Report schedules"],
    parameters: [
      {
        name: "scheduleId",
        in: "path",
        required: true,
        description: "The id of the schedule",
        schema: integer(),
      },
      pageParameter("limit", "Number of items to return", 1, DEFAULT_LIMIT, LIMITS.pageSize),
      pageParameter("skip", "Number of items to skip", 0, 0),
    ],
    responses: {
      200: success("OK: the runs, newest first", { type: "array", items: ref("ReportRun") }),
      ...problems(400, 401, 403, 404, 405, 409, 414, 421, 429, 500, 502, 503, 504),
    },
  };
}

/** The operations of the API of records, by path. */
function recordPaths(): Record<string, Schema> {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const operation of RECORD_OPERATIONS) {
    const path = RECORDS_API + operation.path.replace(/:(\w+)/g, "{$1}");
    (paths[path] ??= {})[operation.method.toLowerCase()] = describeOperation(operation);
  }
  return paths;
}

function describeOperation(operation: RecordOperation): Schema {
  const { id, summary, description, params = {}, query = {}, body, csv, answer } = operation;
  const needed = neededRole(operation.method, RECORDS_API + operation.path);
  const parameters = [
    ...Object.entries(params).map(([name, { schema }]) => ({
      ...{ name, in: "path", required: true },
      schema,
    })),
    ...Object.entries(query).map(([name, { schema, isOptional }]) => ({
      ...{ name, in: "query", required: !isOptional },
      schema,
    })),
  ];
  const content = {
    ...body && { "application/json": { schema: body.schema } },
    ...csv && { "text/csv": { schema: { type: "string", description: csv.description } } },
  };
  const hasBody = body !== undefined || csv !== undefined;
  const { status = answer ? 200 : 204 } = operation;
  return {
    operationId: id,
    tags: ["Records"],
    summary,
    description: `${description} For ${ROLE_WORDS[needed]}.`,
    ...parameters.length > 0 && { parameters },
    ...hasBody && { requestBody: { required: true, content } },
    responses: {
      [status]: answer ? success(summary, answer.schema) : { description: "Done" },
      ...problems(400, 401, 403, 404, 405, 409, 414, 421, 429, 500, 502, 503, 504),
      ...hasBody && problems(408, 413, 415),
    },
  };
}

const ROLE_WORDS = {
  everybody: "everybody",
  user: "every accepted token",
  reader: "readers and operators",
  operator: "operators",
} as const;

function responses(): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(TITLES).map(([status, [, description]]) => [`Problem${status}`, {
      description,
      content: { "application/problem+json": { schema: ref("Problem") } },
    }]),
  );
}

function problems(...statuses: number[]): Record<string, Schema> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
  );
}

function success(description: string, schema: Schema): Schema {
  return { description, content: { "application/json": { schema } } };
}

function pageParameter(
  name: string,
  description: string,
  minimum: number,
  fallback: number,
  maximum?: number,
): Schema {
  const bounds = maximum === undefined ? { minimum } : { minimum, maximum };
  const schema = { type: "integer", ...bounds, default: fallback };
  return { name, in: "query", description, schema };
}
