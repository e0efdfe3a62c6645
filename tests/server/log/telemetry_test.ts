import { assertEquals, assertMatch } from "@std/assert";
import { SEARCH, searchRequest } from "../../app.ts";
import { collectFrom } from "../../collector.ts";
import { answering, withUpstream } from "../../upstream.ts";

async function search(origin: string, query: string): Promise<number> {
  const response = await fetch(searchRequest(origin, query));
  await response.body?.cancel();
  return response.status;
}

Deno.test("telemetry: a request has a span with its route, its attempts, and log lines", () =>
  withUpstream((upstream) =>
    collectFrom({ SERVICE_BASE_URL: upstream.baseUrl, LOG_FORMAT: "json" }, async ({ origin }) => {
      upstream.behave((request) => {
        upstream.behave(null);
        return answering(503, { "retry-after": "0" })(request);
      });
      assertEquals(await search(origin, "?limit=7&offset=1"), 200);
      assertEquals(await search(origin, "?limit=x"), 400);
      await (await fetch(`${origin}/readyz`)).body?.cancel();
    }, (collector) => {
      const spans = collector.spans();
      const named = (name: string) => spans.filter((span) => span.name === name);
      const [first] = named(`POST ${SEARCH}`);
      const { "docket.request_id": id, ...attributes } = first.attributes;
      assertMatch(String(id), /^[0-9a-f-]{36}$/);
      assertEquals(attributes, {
        "http.request.method": "POST",
        "http.response.status_code": "200",
        "http.route": SEARCH,
        "url.scheme": "http",
        "url.template": SEARCH,
      });
      const attempts = spans.filter(({ parentSpanId }) => parentSpanId === first.spanId)
        .map(({ attributes }) => [
          attributes["url.template"],
          attributes["http.response.status_code"],
        ]);
      assertEquals(attempts, [[`/:id${SEARCH}`, "503"], [`/:id${SEARCH}`, "200"]]);
      assertEquals(named("GET /readyz").length, 1);
      const requests = collector.metrics()
        .filter(({ name }) => name === "http.server.request.duration")
        .filter(({ attributes }) => attributes["http.route"] === SEARCH)
        .map(({ value, attributes }) => [attributes["http.response.status_code"], value]);
      assertEquals(requests.sort(), [["200", 1], ["400", 1]]);
      const lines = collector.lines();
      assertEquals(lines.find(({ text }) => /Docket listens/.test(text))?.severity, "INFO");
      const request = lines.find(({ text }) => /"Request"/.test(text))!;
      // A slow machine's request is logged as information.
      const { level } = JSON.parse(request.text);
      assertEquals([request.severity, request.traceId], [level.toUpperCase(), first.traceId]);
    })
  ));
