import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  isProblemError,
  type ProblemDetails,
  ProblemError,
  type ValidationIssue,
} from "../../../server/http/problem.ts";
import {
  readHistoryRequest,
  readSearchRequest,
  searchLimitIssues,
} from "../../../server/api/service_operations.ts";
import { LIMITS } from "../../../server/store/file_sets/search_body.ts";

function searchRequest(body: BodyInit, query = ""): Request {
  return new Request(`http://localhost/api/files/v1/filesets/search${query}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
}

/** Reads a request as the API of the embedded service does. */
function read(request: Request) {
  return readSearchRequest(request, new URL(request.url), true);
}

async function problemFor(request: Request): Promise<ProblemDetails> {
  const error = await read(request)
    .then(() => undefined, (error) => error);
  assert(isProblemError(error), `Not refused: ${error}`);
  return error.problem;
}

function places(errors: readonly ValidationIssue[]): (string | undefined)[] {
  return errors.map((fault) => fault.pointer ?? fault.parameter);
}

Deno.test("readSearchRequest: reads every documented member, or none", async () => {
  assertEquals(await read(searchRequest("{}")), { body: {}, options: {} });
  const body = {
    fieldSort: [{ field: "name", order: "ASC" }],
    filters: [{ field: "name", value: ["a", "\u{1f600}"], not: true, operator: "EQUALS" }],
    dateFilters: [
      { field: "created", start: "2025-01-01T00:00:00Z", end: "2026-01-01T00:00:00Z", not: false },
    ],
  };
  const options = { limit: 7, offset: 14 };
  const request = searchRequest(JSON.stringify(body), "?limit=7&offset=14");
  assertEquals(await read(request), { body, options });
});

Deno.test("readSearchRequest: leaves what the interface does not settle to the backend", async () => {
  const values = [{ field: "createdBy", value: [27, "27"], not: null }, { value: [true, 1.5] }];
  const body = { filters: [{ field: "colour", operator: "MATCHES" }, {}, ...values] };
  const request = searchRequest(JSON.stringify(body), "?limit=5000");
  const asked = await readSearchRequest(request, new URL(request.url), false);
  assertEquals(asked, { body, options: { limit: 5000 } });
});

Deno.test("readSearchRequest: lists the issues of query, shape and meaning together, each once", async () => {
  const body = {
    sort: [],
    fieldSort: [{ field: "name", order: 1 }, "name"],
    filters: [
      { field: "name", value: "x" },
      { field: "name", value: ["x", {}, null] },
      { field: "nope", value: ["x"], not: "yes", "a/b~": 1 },
      null,
    ],
    dateFilters: {},
  };
  const problem = await problemFor(searchRequest(JSON.stringify(body), "?limit=0&limit=1&skip=1"));
  assertEquals(problem.status, 400);
  assertEquals(places(problem.errors), [
    "skip",
    "limit",
    "/sort",
    "/fieldSort/0/order",
    "/fieldSort/1",
    "/filters/0/value",
    "/filters/1/value/1",
    "/filters/1/value/2",
    "/filters/2/a~1b~0",
    "/filters/2/field",
    "/filters/2/not",
    "/filters/3",
    "/dateFilters",
  ]);
});

Deno.test("readSearchRequest: what is no JSON object is listed with the issues of the query", async () => {
  const broken = ["", "  ", "{", "{}{}", "nul", "'a'", '{"filters":[}', "\xff{"];
  const bodies = [...broken, "[]", "null", "1", '"{}"', "true"];
  for (const text of bodies) {
    const body = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const { status, errors } = await problemFor(searchRequest(body, "?offset=x"));
    assertEquals([status, ...places(errors)], [400, "offset", ""], text);
  }
  const pull = (controller: ReadableStreamDefaultController) =>
    controller.error(new Error("Reset"));
  assertEquals((await problemFor(searchRequest(new ReadableStream({ pull })))).status, 400);
});

Deno.test("readSearchRequest: deep nesting and endless strings are refused before they are parsed", async () => {
  const deep = (levels: number) => `{"filters":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
  const nested = "The body is nested deeper than 8 levels";
  const endless = '{"filters":"' + '\\"'.repeat(250_000);
  const bodies = [
    [deep(9), nested],
    [deep(200_000), nested],
    [endless, "The body is not valid JSON"],
  ];
  for (const [body, detail] of bodies) {
    assertEquals((await problemFor(searchRequest(body))).errors, [{ pointer: "", detail }]);
  }
  // Brackets within texts are no nesting.
  const body = { filters: [{ field: "name", value: ['[[[[[[[[[[\\"[[['] }] };
  assertEquals((await read(searchRequest(JSON.stringify(body)))).body, body);
});

Deno.test("readSearchRequest: a mebibyte of filters is refused in bounded time and size", async () => {
  const many = (element: string) =>
    `{"filters":[${Array(Math.floor(1_040_000 / (element.length + 1))).fill(element).join(",")}]}`;
  for (const element of ["{}", '{"field":"fileCount","value":["x"]}']) {
    const problem = await problemFor(searchRequest(many(element)));
    assert(places(problem.errors).includes("/filters") || problem.errors.length >= 1000);
    assert(JSON.stringify(problem).length < 500_000);
  }
});

Deno.test("readSearchRequest: reads or refuses any JSON", async () => {
  await fc.assert(fc.asyncProperty(fc.jsonValue(), async (json) => {
    const body = JSON.stringify({ filters: [json], fieldSort: json });
    const error = await read(searchRequest(body))
      .then(() => undefined, (error) => error);
    assert(error === undefined || isProblemError(error));
  }));
});

Deno.test("readHistoryRequest: reads schedule and page, or lists every issue at once", () => {
  const read = (query: string, id: string) =>
    readHistoryRequest(new URL(`http://localhost/?${query}`), id, true);
  const options = { limit: 5, skip: 10 };
  assertEquals(read("limit=5&skip=10", "101"), { scheduleId: 101, options });
  const few = readHistoryRequest(new URL("http://localhost/?limit=1"), "101", false);
  assertEquals(few.options, { limit: 1 });
  const error: ProblemError = assertThrows(
    () => read("limit=1001&skip=1&skip=2&offset=3", "1.5"),
    ProblemError,
  );
  assertEquals(places(error.problem.errors), ["scheduleId", "offset", "limit", "skip"]);
});

Deno.test("searchLimitIssues: names what a link has too often, and nothing else", () => {
  const most = LIMITS.filters;
  const filters = Array.from({ length: most + 1 }, () => ({ field: "name", value: ["x"] }));
  const fieldSort = [{ field: "name" }];
  assertEquals(searchLimitIssues({ filters: filters.slice(1), fieldSort }), []);
  assertEquals(searchLimitIssues({ filters, fieldSort }), [
    { parameter: "q", detail: `must have at most ${most} conditions on values, not ${most + 1}` },
  ]);
});
