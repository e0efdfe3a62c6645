import { assertEquals, assertRejects } from "@std/assert";
import { createClient } from "../../../lib/mod.ts";
import { createTestService, listen, makeFileSets } from "../../../lib/testing/mod.ts";
import { failure, TOKEN } from "../client/client_setup.ts";

const baseUrl = "https://service.example";

Deno.test("createTestService: takes a Request, a URL or a text", async () => {
  const service = createTestService({ fileSets: makeFileSets(3), token: TOKEN });
  const url = `${baseUrl}/api/files/v1/filesets/search?limit=2`;
  const init = {
    method: "POST",
    headers: { "X-SERVICE-Developer-Token": TOKEN, "content-type": "application/json" },
    body: `{"filters":[{"field":"owner","value":["bob"]}]}`,
  };
  for (
    const answer of [
      service.fetch(url, init),
      service.fetch(new URL(url), init),
      service.fetch(new Request(url, init)),
      service.fetch(new Request(url), init),
    ]
  ) {
    const page = await (await answer).json();
    assertEquals(page.fileSets.map(({ owner }: { owner: string }) => owner), ["bob"]);
  }
  assertEquals(service.requests.map(({ limit }) => limit), [2, 2, 2, 2]);
});

Deno.test("listen: the service over HTTP, broken connections included", async () => {
  const service = createTestService({
    fileSets: makeFileSets(250),
    token: TOKEN,
    faults: [undefined, { kind: "reset", at: "headers" }, { kind: "reset", at: "body" }],
  });
  await using server = await listen(service);
  const client = createClient({ baseUrl: server.url, token: TOKEN });
  const walk = client.fileSets.search().walk();
  assertEquals(await Array.fromAsync(walk), makeFileSets(250));
  assertEquals([walk.report.complete, service.requests.length], [true, 5]);
  const wrong = createClient({ baseUrl: server.url, token: "wrong" });
  assertEquals((await failure("http", wrong.fileSets.search())).status, 401);
});

Deno.test("listen: a request that is abandoned is aborted in the service", async () => {
  const service = createTestService({ faults: () => ({ kind: "stall", at: "headers" }) });
  const server = await listen(service);
  const client = createClient({ baseUrl: server.url, token: null, attempts: 1, timeoutMs: 50 });
  await failure("timeout", client.fileSets.search());
  while (service.aborted === 0) await new Promise((done) => setTimeout(done, 1));
  assertEquals([service.aborted, service.inFlight], [1, 0]);
  await server.close();
});

Deno.test("listen: a port that is taken is an error", async () => {
  await using server = await listen(createTestService());
  const port = Number(new URL(server.url).port);
  await assertRejects(() => listen(createTestService(), port), Error, "EADDRINUSE");
});
