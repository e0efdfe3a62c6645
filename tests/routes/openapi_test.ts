import { assert, assertEquals, assertMatch } from "@std/assert";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type App, HEADER, ORIGIN, SEARCH, searchRequest, TOKEN, withApp } from "../app.ts";

const HISTORY = "/api/content/v1/reportschedules/{scheduleId}/history";

// deno-lint-ignore no-explicit-any
type Document = any;

function withDocument(
  work: (document: Document, fetch: App["fetch"], app: App) => Promise<void>,
): Promise<void> {
  return withApp({}, async (app) => {
    const response = await app.fetch(new Request(`${ORIGIN}/api/openapi.json`));
    await work(await response.json(), app.fetch, app);
  });
}

/** Holds an answer against what the document says of that operation and status. */
async function check(
  document: Document,
  operation: Document,
  response: Response,
): Promise<unknown> {
  const described = operation.responses[response.status];
  assert(described, `Status ${response.status} is not described`);
  const answer = described.$ref ? resolve(document, described.$ref) : described;
  const [type, { schema }] = Object.entries(answer.content)[0] as [string, { schema: Document }];
  assertEquals(response.headers.get("content-type"), type);
  const body = await response.json();
  const validate = ajv().compile({ ...schema, components: document.components });
  assert(validate(body), JSON.stringify(validate.errors?.slice(0, 3)));
  return body;
}

// deno-lint-ignore no-explicit-any
function ajv(): any {
  const made = new Ajv2020({ strict: false, allErrors: true });
  // deno-lint-ignore no-explicit-any
  (addFormats as any)(made);
  return made;
}

function resolve(document: Document, pointer: string): Document {
  return pointer.slice(2).split("/").reduce((node, name) => node[name], document);
}

function search(body: unknown, query = "", init: RequestInit = {}): Request {
  return new Request(searchRequest(ORIGIN, query, JSON.stringify(body)), init);
}

function history(id: string, init: RequestInit = {}): Request {
  const path = HISTORY.replace("{scheduleId}", id);
  return new Request(ORIGIN + path, { headers: { [HEADER]: TOKEN }, ...init });
}

Deno.test("[e2e] GET openapi.json: is valid OpenAPI 3.1", () =>
  withDocument(async (document) => {
    assertEquals(document.openapi, "3.1.0");
    const { valid, errors } = await new Validator().validate(document);
    assert(valid, JSON.stringify(errors));
    assertEquals(Object.keys(document.paths).slice(0, 2), [SEARCH, HISTORY]);
    const operations = Object.values<Document>(document.paths).flatMap(Object.values);
    const tags = operations.map(({ tags }) => tags[0]);
    assertEquals([...new Set(tags)], document.tags.map(({ name }: Document) => name));
    for (const { description } of operations.slice(2)) {
      assertMatch(description, /\. For [a-z ]+\.$/);
    }
  }));

Deno.test("[e2e] GET openapi.json: describes what the operations answer", () =>
  withDocument(async (document, fetch) => {
    const { post } = document.paths[SEARCH];
    const { get } = document.paths[HISTORY];
    const json = { "content-type": "application/json" };
    const text = { [HEADER]: TOKEN, "content-type": "text/plain" };
    for (
      const [operation, request, status] of [
        [post, search({}, "?limit=1000"), 200],
        [post, search({ filters: [{ field: "no" }], more: 1 }, "?limit=0&offset=x"), 400],
        [post, search({}, "", { headers: json }), 401],
        [post, search({ filters: [" ".repeat(1024 * 1024)] }), 413],
        [post, search({}, "", { headers: text }), 415],
        [get, history("101"), 200],
        [get, history("x"), 400],
        [get, history("1"), 404],
        [get, history("101", { method: "DELETE" }), 405],
      ] as const
    ) {
      const response = await fetch(request);
      assertEquals(response.status, status);
      await check(document, operation, response);
    }
  }));

Deno.test("[e2e] GET openapi.json: describes rows that were imported, whatever they lack or add", () =>
  withDocument(async (document, fetch, { services }) => {
    await services.store!.put({
      fileSets: [{ id: "Payroll", name: "Payroll" }],
      runs: [{ scheduleId: 7, run: { id: 1, recipients: [{ emailAddress: "a@x.example" }] } }],
    });
    const more = { colour: "red" };
    const nulls = { id: 2, endTime: null, emailSize: null, recipients: null, ...more };
    await services.store!.put({
      fileSets: [{ id: "Pensions", owner: null, ...more }],
      runs: [{ scheduleId: 7, run: nulls }],
    });
    const filters = [{ field: "id", value: ["Payroll", "Pensions"] }];
    const found = await fetch(search({ filters }));
    const { post } = document.paths[SEARCH];
    const { fileSets } = await check(document, post, found) as { fileSets: unknown[] };
    assertEquals(fileSets.length, 2);
    await check(document, document.paths[HISTORY].get, await fetch(history("7")));
  }));

Deno.test("[e2e] GET openapi.json: what it allows is accepted, what it does not is refused", () =>
  withDocument(async (document, fetch) => {
    assertEquals(document.paths["/api/docket/v1/watches"].post.requestBody.required, true);
    const schema = document.paths[SEARCH].post.requestBody.content["application/json"].schema;
    const validate = ajv().compile({ ...schema, components: document.components });
    const { filters } = document.components.schemas.SearchBody.properties;
    const { field, operator } = document.components.schemas.Filter.properties;
    const start = "2025-01-01T00:00:00Z";
    const many = Array(filters.maxItems).fill({ field: "id", value: ["x"] });
    const allowed = [
      { fieldSort: field.enum.map((field: string) => ({ field, order: "DESC" })) },
      {
        filters: operator.enum.map((operator: string) => (
          { field: "name", operator, value: operator === "IS_NULL" ? [] : ["x"], not: true }
        )),
      },
      { dateFilters: [{ field: "created", start }, { field: "updated", end: start, not: true }] },
      { filters: many, fieldSort: null, dateFilters: null },
      { filters: [{ field: "createdBy", operator: null, value: [27], not: null }] },
    ];
    const refused = [
      { more: 1 },
      { fieldSort: [{ field: "name", order: "asc" }] },
      { filters: [{ field: "name", value: [null] }] },
      { filters: [...many, many[0]] },
      { dateFilters: [{ field: "created", start: "2025-01-01" }] },
    ];
    for (const [status, bodies] of [[200, allowed], [400, refused]] as const) {
      for (const body of bodies) {
        const text = JSON.stringify(body);
        assertEquals(
          [validate(body), (await fetch(search(body))).status],
          [status === 200, status],
          text,
        );
      }
    }
  }));
