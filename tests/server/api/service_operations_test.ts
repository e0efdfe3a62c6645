import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { ProblemError, type ValidationIssue } from "../../../server/http/problem.ts";
import {
  readHistoryRequest,
  readSearchRequest,
  searchLimitIssues,
} from "../../../server/api/service_operations.ts";
import { LIMITS } from "../../../server/store/file_sets/search_body.ts";

/** Reads a request as the API of the embedded service does, or that of another one. */
function read(body: BodyInit, query = "", isEmbedded = true) {
  const headers = { "content-type": "application/json" };
  const request = new Request(`http://localhost/${query}`, { method: "POST", headers, body });
  return readSearchRequest(request, new URL(request.url), isEmbedded);
}

async function problemFor(body: BodyInit, query?: string) {
  const { problem }: ProblemError = await assertRejects(() => read(body, query), ProblemError);
  assertEquals(problem.status, 400);
  return problem;
}

const places = (errors: readonly ValidationIssue[]) =>
  errors.map((fault) => fault.pointer ?? fault.parameter);

Deno.test("readSearchRequest: reads every documented member, or none", async () => {
  assertEquals(await read("{}"), { body: {}, options: {} });
  const [start, end] = ["2025-01-01T00:00:00Z", "2026-01-01T00:00:00Z"];
  const body = {
    fieldSort: [{ field: "name", order: "ASC" }],
    filters: [{ field: "name", value: ["a", "\u{1f600}"], not: true, operator: "EQUALS" }],
    dateFilters: [{ field: "created", start, end, not: false }],
  };
  const options = { limit: 7, offset: 14 };
  assertEquals(await read(JSON.stringify(body), "?limit=7&offset=14"), { body, options });
});

Deno.test("readSearchRequest: leaves what the interface does not settle to the backend", async () => {
  const values = [{ field: "createdBy", value: [27, "27"], not: null }, { value: [true, 1.5] }];
  const body = { filters: [{ field: "colour", operator: "MATCHES" }, {}, ...values] };
  const parsed = await read(JSON.stringify(body), "?limit=5000", false);
  assertEquals(parsed, { body, options: { limit: 5000 } });
});

Deno.test("readSearchRequest: lists the issues of query, shape and meaning together, each once", async () => {
  const body = {
    fieldSort: [{ field: "name", order: 1 }],
    filters: [{ field: "nope", value: ["x"], not: "yes" }, { field: "name", value: "x" }],
  };
  const { errors } = await problemFor(JSON.stringify(body), "?limit=0&limit=1&skip=1");
  const ofFilters = ["/filters/0/field", "/filters/0/not", "/filters/1/value"];
  assertEquals(places(errors), ["skip", "limit", "/fieldSort/0/order", ...ofFilters]);
  const others = [
    [{ filters: "x", fieldSort: 1 }, ["/fieldSort", "/filters"]],
    [{ filters: [null, { field: "fileCount", value: [null] }] }, [
      "/filters/0",
      "/filters/1/value/0",
    ]],
  ] as const;
  for (const [body, expected] of others) {
    assertEquals(places((await problemFor(JSON.stringify(body))).errors), expected);
  }
});

Deno.test("readSearchRequest: what is no JSON object is listed with the issues of the query", async () => {
  const broken = ["", "  ", "{", "{}{}", "nul", "'a'", '{"filters":[}'];
  const others = ["[]", "null", "1", '"{}"', "true"];
  const bytes = Uint8Array.from('{"a":"\xff"}', (letter) => letter.charCodeAt(0));
  const pull = (controller: ReadableStreamDefaultController) =>
    controller.error(new Error("Reset"));
  for (const body of [...broken, ...others, bytes, new ReadableStream({ pull })]) {
    const { errors } = await problemFor(body, "?offset=x");
    assertEquals(places(errors), ["offset", ""], String(body));
  }
});

Deno.test("readSearchRequest: deep nesting and what has no end are refused in bounded time", async () => {
  const deep = (levels: number) => `{"filters":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
  const nested = "The body is nested deeper than 8 levels";
  const endless = '{"filters":"' + '\\"'.repeat(250_000);
  const bodies = [[deep(9), nested], [deep(200_000), nested], [
    endless,
    "The body is not valid JSON",
  ]];
  for (const [body, detail] of bodies) {
    assertEquals((await problemFor(body)).errors, [{ pointer: "", detail }]);
  }
  // Brackets within texts are no nesting.
  const body = { filters: [{ field: "name", value: ['[[[[[[[[[[\\"[[['] }] };
  assertEquals((await read(JSON.stringify(body))).body, body);
  for (const element of ["{}", '{"field":"fileCount","value":["x"]}']) {
    const many = Array(Math.floor(1_040_000 / (element.length + 1))).fill(element).join(",");
    const problem = await problemFor(`{"filters":[${many}]}`);
    assert(places(problem.errors).includes("/filters") || problem.errors.length >= 1000);
    assert(JSON.stringify(problem).length < 500_000);
  }
});

Deno.test("readHistoryRequest: reads schedule and page, or lists every issue at once", () => {
  const read = (query: string, id: string, isEmbedded = true) =>
    readHistoryRequest(new URL(`http://localhost/?${query}`), id, isEmbedded);
  const options = { limit: 5, skip: 10 };
  assertEquals(read("limit=5&skip=10", "101"), { scheduleId: 101, options });
  assertEquals(read("limit=1", "101", false).options, { limit: 1 });
  const wrong = () => read("limit=1001&skip=1&skip=2&offset=3", "1.5");
  const { errors, detail } = assertThrows(wrong, ProblemError).problem;
  assertEquals(places(errors), ["scheduleId", "offset", "limit", "skip"]);
  assertEquals(detail, '4 things in the request are not valid; "errors" lists each');
  assertThrows(() => read("limit=0", "101"), ProblemError, "limit must be a whole number");
});

Deno.test("searchLimitIssues: names what a link has too often, and nothing else", () => {
  const most = LIMITS.filters;
  const issuesOf = (length: number) =>
    searchLimitIssues({ filters: Array.from({ length }, () => ({ field: "name", value: ["x"] })) });
  const detail = `must have at most ${most} conditions on values, not ${most + 1}`;
  assertEquals([issuesOf(most), issuesOf(most + 1)], [[], [{ parameter: "q", detail }]]);
});
