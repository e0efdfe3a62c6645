import { assertEquals } from "@std/assert";
import type { FileSetPage } from "../../lib/types.ts";
import { type App, HEADER, ORIGIN, SEARCH, TOKEN, withApp } from "../app.ts";
import { withAppInFront } from "../service_on_port.ts";

/** The answer to a search over the API. */
async function search({ fetch }: App, body: unknown) {
  const headers = { [HEADER]: TOKEN, "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(new Request(ORIGIN + SEARCH, init));
  return { status: response.status, json: await response.json() };
}

async function caseBody() {
  const file = new URL("../cases/search_with_number_and_null.json", import.meta.url);
  return JSON.parse(await Deno.readTextFile(file));
}

Deno.test("[e2e] POST search: numbers are compared as texts, and null is as good as absent", () =>
  withApp({}, async (app) => {
    const { createdBy } = (await search(app, {})).json.fileSets[0];
    const totalOf = async (filters: object[], more: object = {}) => {
      const { status, json } = await search(app, { filters, ...more });
      assertEquals(status, 200);
      return (json as FileSetPage).pageContext.total;
    };
    const nulls = { not: null, operator: null };
    const total = await totalOf([{ field: "createdBy", value: [String(createdBy)] }]);
    assertEquals(total! > 0, true);
    assertEquals(
      await totalOf([{ field: "createdBy", value: [createdBy], ...nulls }], {
        fieldSort: null,
        dateFilters: [{ field: "created", start: "2000-01-01T00:00:00Z", end: null }],
      }),
      total,
    );
    assertEquals((await search(app, await caseBody())).status, 200);
    const { status, json } = await search(app, {
      filters: [{ field: "createdBy", value: [null, {}, 2 ** 53] }, null],
      dateFilters: [{ field: "created", start: null, end: null }],
    });
    assertEquals([status, json.errors], [400, [
      { pointer: "/filters/0/value/0", detail: "must be a text, a number, true or false" },
      { pointer: "/filters/0/value/1", detail: "must be a text, a number, true or false" },
      { pointer: "/filters/0/value/2", detail: "must be exact" },
      { pointer: "/filters/1", detail: "must be an object" },
      { pointer: "/dateFilters/0", detail: "needs a start, an end, or both" },
    ]]);
  }));

Deno.test("[e2e] POST search: numbers, booleans and nulls are passed on to an upstream as they are", () =>
  withAppInFront({ fileSets: [] }, async (app, service) => {
    const body = {
      ...await caseBody(),
      filters: [
        { field: "createdBy", value: [27, "27"], not: null },
        { field: "archived", value: [true, 1.5] },
      ],
    };
    assertEquals((await search(app, body)).status, 200);
    assertEquals(JSON.parse(service.requests.at(-1)!.body!), body);
  }));
