/** The embedded service's interface in OpenAPI 3.1, with its types and limits. */
import { DEFAULT_LIMIT } from "../../lib/client/backend.ts";
import { TITLES } from "../http/problem.ts";
import { MAX_BODY_BYTES } from "../http/request_body.ts";
import { integer, ref, type Schema, schemas } from "./openapi_schemas.ts";
import { STATUSES_PATH } from "../http/paths.ts";
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
      [STATUSES_PATH]: statusesOperations(),
    },
    components: {
      securitySchemes: {
        developerToken: { type: "apiKey", in: "header", name: tokenHeader },
      },
      schemas: schemas(),
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

function statusesOperations(): Schema {
  const common = { tags: ["Records"] };
  const faults = [400, 401, 403, 405, 414, 421, 429, 500, 502, 503, 504];
  const answer = success("The meanings", ref("StatusMeanings"));
  return {
    get: {
      ...common,
      operationId: "getStatuses",
      summary: "What statuses mean",
      description:
        "Every status with a meaning: what people said wins over the setting STATUSES, " +
        "and that over the words that are known from the start. Others are unknown. Open to every " +
        "accepted token.",
      responses: { 200: answer, ...problems(...faults) },
    },
    put: {
      ...common,
      operationId: "putStatuses",
      summary: "Say what statuses mean",
      description:
        "Replaces what people said. Only for operators. Case does not matter, and _ and " +
        "- are blanks.",
      requestBody: {
        required: true,
        content: { "application/json": { schema: ref("SaidStatuses") } },
      },
      responses: { 200: answer, ...problems(...faults, 404, 408, 413, 415) },
    },
  };
}

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
