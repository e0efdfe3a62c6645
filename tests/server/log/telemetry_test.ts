import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { HEADER, SEARCH, TOKEN } from "../../app.ts";
import { type CollectedSpan, withCollector } from "../../collector.ts";
import { collectFrom } from "../../collected_program.ts";
import { type Program, withProgram } from "../../program.ts";
import { answering, answerWell, SCHEDULE, withUpstream } from "../../upstream.ts";
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

/** The answer to a request that fetch would not send. */
async function rawly({ origin }: Program, head: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  await connection.write(new TextEncoder().encode(`${head}Connection: close\r\n\r\n`));
  // Read to its end, it is closed.
  return await new Response(connection.readable).text();
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

/** A page that is not the last. */
const FIRST_PAGE = JSON.stringify({
  fileSets: [{ id: "1", name: "planted-name" }],
  pageContext: { offset: 0, limit: 1, total: 500, next: "1" },
});

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

Deno.test("telemetry: nothing of a person, no token and no query is exported", () =>
  withUpstream((upstream) =>
    collectFrom({ SERVICE_BASE_URL: upstream.baseUrl }, async (program) => {
      const { origin } = program;
      const get = async (path: string, init: RequestInit = {}) => {
        const response = await fetch(origin + path, { redirect: "manual", ...init });
        await response.body?.cancel();
        return response;
      };
      const body = new URLSearchParams({ token: "planted-token", next: "/planted-next" });
      const signedIn = await get("/sign-in?next=/planted-next", { method: "POST", body });
      assertEquals(signedIn.status, 303);
      const [session] = signedIn.headers.getSetCookie()[0].split(";");
      const cookie = `${session}; planted-cookie=1`;
      const headers = { cookie, baggage: "user=planted-baggage", "user-agent": "planted-agent" };
      await get("/sign-in?code=planted-code", { headers });
      await get("/filesets?filter=name:LIKE:planted-word", { headers });
      await get("/planted@example.com/planted-path", { headers, method: "BREW" });
      await get(`/schedules/${SCHEDULE}/recipients?q=planted-query`, { headers });
      const token = "planted-header-token";
      const asked = {
        token,
        query: "?limit=planted-limit",
        body: { filters: [{ field: "owner", value: ["planted-value"] }] },
      };
      assertEquals(await search(program, asked), 400);
      const failing = [
        answering(500, { "x-request-id": "planted@example.com" }, "planted-body@example.com"),
        answering(307, { location: "/base/api?planted-location=1" }),
        answering(200, {}, "<p>planted-html"),
        answering(400, {}, JSON.stringify({ detail: "planted-detail@example.com" })),
      ];
      for (const behaviour of failing) {
        upstream.behave(behaviour);
        assert(await search(program, { ...asked, query: "?limit=3" }) >= 400);
        await get("/filesets?filter=name:LIKE:planted-word", { headers });
        await get("/filesets/export?format=csv&filter=name:LIKE:planted-word", { headers });
      }
      let pages = 0;
      upstream.behave((request, connection) =>
        (pages++ === 0 ? answering(200, {}, FIRST_PAGE) : failing[3])(request, connection)
      );
      const cutOff = await fetch(`${origin}/filesets/export?format=csv`, { headers });
      await assertRejects(() => cutOff.text());
      assertMatch(await rawly(program, "GET /?planted HTTP/1.1\r\nHost: a b[\r\n"), / 400 /);
      upstream.listen(false);
      assertEquals(await search(program, { token }), 502);
      upstream.listen(true);
    }, (collector, program) => {
      for (const exported of [collector.text(), program.printed()]) {
        const at = exported.search(/planted|example\.com|docket_session/i);
        assertEquals(at < 0 ? "" : exported.slice(at - 200, at + 100), "");
      }
      assertEquals(program.printed().match(/"Download interrupted"/g)?.length, 1);
      // All that is printed after the start is the log.
      const [, after] = program.printed().split("of that service\n");
      for (const line of after.trim().split("\n")) assertEquals(line[0], "{", line);
      // It is about these requests.
      const names = collector.spans().map(({ name }) => name);
      for (const name of ["GET /filesets", "POST /sign-in", "_OTHER /:id/:id", "search"]) {
        assert(names.includes(name), `${name} in ${names.join(", ")}`);
      }
    })
  ));

Deno.test("telemetry: without it, nothing is sent anywhere", () =>
  withCollector((collector) =>
    withProgram({ ...collector.env, OTEL_DENO: "false" }, async (program) => {
      assertEquals(await search(program), 200);
      program.process.kill("SIGTERM");
      await program.process.status;
      assertEquals(collector.text(), "");
    })
  ));
