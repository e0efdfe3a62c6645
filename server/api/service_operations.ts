/** The interface's two operations: what they take and answer, for reading requests and for OpenAPI. */
import { DEFAULT_LIMIT } from "../../lib/client/backend.ts";
import {
  type Field,
  type FieldKind,
  FILE_SET_FIELDS,
  RECIPIENT_FIELDS,
  RUN_FIELDS,
} from "../../lib/fields.ts";
import type { SearchBody } from "../../lib/types.ts";
import { throwIfInvalid, type ValidationIssue } from "../http/problem.ts";
import { MAX_BODY_BYTES, readBody } from "../http/request_body.ts";
import {
  flag,
  integer,
  list,
  moment,
  named,
  optional,
  readQuery,
  record,
  type Shape,
  text,
} from "../http/shape.ts";
import {
  ANY_SEARCH_BODY,
  LIMITS,
  maybe,
  PAGE_LIMIT,
  PAGE_START,
  SEARCH_BODY,
} from "../store/file_sets/search_body.ts";

const SHAPES: Readonly<Record<FieldKind, () => Shape<unknown>>> = {
  string: text,
  integer,
  boolean: flag,
  "date-time": moment,
};

/** The interface's fields: each but the id may be missing or null, as rows are answered as they came. */
function fields(all: Readonly<Record<string, Field>>) {
  return Object.fromEntries(
    Object.entries(all).map(([name, { kind, mayBeMissing }]) => {
      const shape = SHAPES[kind]();
      return [name, mayBeMissing ? maybe(shape) : shape];
    }),
  );
}

const WITH_OTHERS = { additionalProperties: true };

const FILE_SET = named("FileSet", record(fields(FILE_SET_FIELDS), WITH_OTHERS));
const PAGE_CONTEXT = named(
  "PageContext",
  record({
    next: text({ description: "The next offset as text, empty on the last page" }),
    offset: integer({ min: 0 }),
    limit: integer({ min: 1 }),
    total: integer({ min: 0 }),
  }),
);
const RECIPIENT = named("Recipient", record(fields(RECIPIENT_FIELDS), WITH_OTHERS));
const BYTES = maybe(integer({ description: "Bytes" }));
const RUN = named(
  "ReportRun",
  record({
    ...fields(RUN_FIELDS),
    attachmentSize: BYTES,
    emailSize: BYTES,
    recipients: maybe(list(RECIPIENT)),
  }, WITH_OTHERS),
);

function pageParameter(shape: Shape<number>, fallback: number, description: string) {
  return optional({ ...shape, schema: { ...shape.schema, default: fallback, description } });
}

const START = pageParameter(PAGE_START, 0, "Number of matches to skip");

export const SEARCH = {
  method: "POST",
  path: "/api/files/v1/filesets/search",
  id: "searchFileSets",
  tag: "File sets",
  summary: "Search file sets",
  description: "One page of the matching file sets. All conditions have to hold; a condition " +
    "holds if any of its values matches. A condition with `not` is negated, and then also " +
    `matches a missing value. A body has at most ${MAX_BODY_BYTES} bytes; {} lists all.`,
  query: {
    limit: pageParameter(PAGE_LIMIT, DEFAULT_LIMIT, "The most file sets to return"),
    offset: START,
  },
  body: SEARCH_BODY,
  answer: named("FileSetPage", record({ fileSets: list(FILE_SET), pageContext: PAGE_CONTEXT })),
} as const;

export const HISTORY = {
  method: "GET",
  path: "/api/content/v1/reportschedules/:scheduleId/history",
  id: "getReportHistory",
  tag: "Report schedules",
  summary: "Get report history by schedule id",
  description: "Some of the runs of one report schedule, newest first, as a bare array.",
  params: { scheduleId: integer() },
  query: {
    limit: pageParameter(PAGE_LIMIT, DEFAULT_LIMIT, "Number of items to return"),
    skip: pageParameter(PAGE_START, 0, "Number of items to skip"),
  },
  answer: list(RUN),
} as const;

/** Another service may take longer pages. */
const ANY_LIMIT = optional(integer({ min: 1 }));

/** Reads a search; another service than the embedded one decides itself what it takes. */
export async function readSearchRequest(request: Request, url: URL, isEmbedded: boolean) {
  const faults: ValidationIssue[] = [];
  const query = isEmbedded ? SEARCH.query : { limit: ANY_LIMIT, offset: START };
  const options = readQuery(url.searchParams, query, faults);
  const body = await readBody(request, isEmbedded ? SEARCH_BODY : ANY_SEARCH_BODY, faults);
  throwIfInvalid(faults);
  return { body: body!, options };
}

export function readHistoryRequest(url: URL, scheduleId: string, isEmbedded: boolean) {
  const faults: ValidationIssue[] = [];
  const params = readQuery(new URLSearchParams({ scheduleId }), HISTORY.params, faults);
  const query = isEmbedded ? HISTORY.query : { ...HISTORY.query, limit: ANY_LIMIT };
  const options = readQuery(url.searchParams, query, faults);
  throwIfInvalid(faults);
  return { ...params, options };
}

/** The issues of a search in a link that exceeds the API's limits, which apply to every service. */
export function searchLimitIssues(body: SearchBody) {
  const { filters = [], dateFilters = [], fieldSort = [] } = body;
  const counts = [
    { parameter: "q", noun: "conditions on values", count: filters.length, max: LIMITS.filters },
    { parameter: "q", noun: "dates", count: dateFilters.length, max: LIMITS.dateFilters },
    { parameter: "sort", noun: "sort keys", count: fieldSort.length, max: LIMITS.sortKeys },
  ];
  return counts.filter(({ count, max }) => count > max).map(({ parameter, noun, count, max }) => ({
    parameter,
    detail: `must have at most ${max} ${noun}, not ${count}`,
  }));
}
