import { assertEquals, assertMatch } from "@std/assert";
import { HEADER, SEARCH, TOKEN } from "../../app.ts";
import { type CollectedSpan, withCollector } from "../../collector.ts";
import { collectFrom } from "../../collected_program.ts";
import { type Program, withProgram } from "../../program.ts";
import { answering, answerWell, withUpstream } from "../../upstream.ts";
import { server } from "../store/postgres/shared.ts";

async function search(
  { origin }: Program,
  { body = {}, query = "", token = TOKEN, headers = {} }: {
    body?: unknown;
    query?: string;
    token?: string;
    headers?: Record<string, string>;
  } = {},
): Promise<number> {
  const response = await fetch(origin + SEARCH + query, {
    method: "POST",
    headers: { [HEADER]: token, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  await response.body?.cancel();
  return response.status;
}

/** The names of the spans of one trace, each behind those that it is within. */
function pathsOf(spans: readonly CollectedSpan[], traceId: string): string[] {
  const within = spans.filter((span) => span.traceId === traceId);
  const pathOf = (span: CollectedSpan): string => {
    const parent = within.find(({ spanId }) => spanId === span.parentSpanId);
    return parent ? `${pathOf(parent)} > ${span.name}` : span.name;
  };
  return within.map(pathOf).sort();
}

const named = (spans: readonly CollectedSpan[], name: string) =>
  spans.filter((span) => span.name === name);

Deno.test("telemetry: a request, its operation and what the database is asked are one trace", () =>
  collectFrom({}, async (program) => {
    const filters = [{ field: "owner", operator: "EQUALS", value: ["27"] }];
    const options = { query: "?limit=7&offset=1", body: { filters } };
    assertEquals(await search(program, options), 200);
    // Another page of the same search is another answer, and has the same total.
    for (const offset of [2, 3]) {
      assertEquals(await search(program, { ...options, query: `?limit=7&offset=${offset}` }), 200);
    }
    assertEquals(await search(program, { query: "?limit=x" }), 400);
    await (await fetch(`${program.origin}/readyz`)).body?.cancel();
  }, (collector) => {
    const spans = collector.spans();
    const [first, second] = named(spans, `POST ${SEARCH}`);
    const shared = [`POST ${SEARCH}`, `POST ${SEARCH} > search`];
    const count = `POST ${SEARCH} > search > count file_sets`;
    const version = `POST ${SEARCH} > search > version file_sets`;
    assertEquals(pathsOf(spans, first.traceId), [...shared, count, version]);
    assertEquals(pathsOf(spans, second.traceId), [...shared, version]);
    const { "docket.request_id": id, ...attributes } = first.attributes;
    assertMatch(String(id), /^[0-9a-f-]{36}$/);
    assertEquals(attributes, {
      "http.request.method": "POST",
      "http.response.status_code": "200",
      "http.route": SEARCH,
      "url.scheme": "http",
      "url.template": SEARCH,
    });
    assertEquals(named(spans, "search")[0].attributes, {
      "docket.operation": "search",
      "docket.service": "embedded",
      "docket.limit": 7,
      "docket.offset": 1,
      "docket.filters": 1,
      "docket.rows": 0,
    });
    assertEquals(named(spans, "count file_sets")[0].attributes["db.system.name"], "sqlite");
    assertEquals(named(spans, "GET /readyz").length, 1);

    const metrics = collector.metrics();
    const requests = metrics.filter(({ name }) => name === "http.server.request.duration")
      .filter(({ attributes }) => attributes["http.route"] === SEARCH)
      .map(({ value, attributes }) => [attributes["http.response.status_code"], value]);
    assertEquals(requests.sort(), [["200", 3], ["400", 1]]);
    const lookups = metrics.filter(({ name }) => name === "docket.totals.lookups")
      .map(({ value, attributes }) => [attributes["docket.result"], value]);
    assertEquals(lookups.sort(), [["hit", 2], ["miss", 1]]);
    const operations = metrics.filter(({ name }) => name === "docket.backend.duration")
      .map(({ value, attributes }) => [attributes["docket.outcome"], value]);
    assertEquals(operations, [["ok", 3]]);
  }));

Deno.test("telemetry: PostgreSQL's spans say that they are its", async () => {
  await collectFrom(
    { DATABASE_URL: await server.createSampleDatabase() },
    async (program) => assertEquals(await search(program), 200),
    (collector) => {
      const pages = named(collector.spans(), "page file_sets");
      assertEquals(pages.map(({ attributes }) => attributes["db.system.name"]), ["postgresql"]);
      // Its URL, with the password, is nowhere.
      assertEquals(/docket:docket@|postgres:\/\//.test(collector.text()), false);
    },
  );
});

Deno.test("telemetry: each attempt at an upstream has its span, and retries are counted", () =>
  withUpstream((upstream) =>
    collectFrom({ SERVICE_BASE_URL: upstream.baseUrl }, async (program) => {
      let asked = 0;
      upstream.behave((request, connection) =>
        (asked++ === 0 ? answering(503, { "retry-after": "0" }) : answerWell(upstream.service))(
          request,
          connection,
        )
      );
      assertEquals(await search(program), 200);
      upstream.behave(answering(403));
      assertEquals(await search(program), 403);
      upstream.behave(answering(500, { "retry-after": "0" }));
      assertEquals(await search(program), 502);
    }, (collector) => {
      const spans = collector.spans();
      const attempts = (search: CollectedSpan) =>
        spans.filter(({ parentSpanId }) => parentSpanId === search.spanId)
          .map(({ attributes }) => [
            attributes["url.template"],
            attributes["http.response.status_code"],
          ]);
      const searches = named(spans, "search");
      const template = `/:id${SEARCH}`;
      assertEquals(attempts(searches[0]), [[template, "503"], [template, "200"]]);
      assertEquals(searches.map(({ status, attributes }) => [status, attributes["error.type"]]), [
        [0, undefined],
        [0, "http 403"],
        [2, "http 500"],
      ]);
      const metrics = collector.metrics();
      const [retries] = metrics.filter(({ name }) => name === "docket.upstream.retries");
      assertEquals(retries.attributes, { "docket.operation": "search" });
      assertEquals(retries.value, 1 + attempts(searches[2]).length - 1);
      const outcomes = metrics.filter(({ name }) => name === "docket.backend.duration")
        .map(({ attributes }) => attributes["docket.outcome"]);
      assertEquals(outcomes.sort(), ["http 403", "http 500", "ok"]);
    })
  ));

Deno.test("telemetry: the log is exported with its severities and traces, and the sign-in link is not", () =>
  collectFrom({ LOG_FORMAT: "json" }, async (program) => {
    assertEquals(await search(program), 200);
  }, (collector, program) => {
    const lines = collector.lines();
    const [begun] = lines.filter(({ text }) => /Docket listens/.test(text));
    assertEquals(begun.severity, "INFO");
    const [request] = lines.filter(({ text }) => /"Request"/.test(text));
    const [span] = named(collector.spans(), `POST ${SEARCH}`);
    assertEquals([request.severity, request.traceId], ["DEBUG", span.traceId]);
    const [, code] = /sign-in\?code=([0-9a-f]{32})/.exec(program.printed())!;
    assertEquals(collector.text().includes(code), false);
  }));

Deno.test("telemetry: without it, nothing is sent anywhere", () =>
  withCollector((collector) =>
    withProgram({ ...collector.env, OTEL_DENO: "false" }, async (program) => {
      assertEquals(await search(program), 200);
      program.process.kill("SIGTERM");
      await program.process.status;
      assertEquals(collector.text(), "");
    })
  ));
