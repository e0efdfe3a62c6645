import { assertEquals } from "@std/assert";
import { createPageClient } from "../../../lib/client/page_client.ts";
import { createTestService, makeFileSets, type TestService } from "../../../lib/testing/mod.ts";
import { failure } from "./client_setup.ts";

function serve(service: TestService) {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    (request) => service.fetch(request),
  );
  return { server, client: createPageClient(`http://127.0.0.1:${server.addr.port}`) };
}

Deno.test("createPageClient: sends no token, and reads every row", async () => {
  const service = createTestService({ fileSets: makeFileSets(150) });
  const { server, client } = serve(service);
  assertEquals(await Array.fromAsync(client.fileSets.search()), makeFileSets(150));
  assertEquals(
    service.requests.some(({ headers }) => "x-service-developer-token" in headers),
    false,
  );
  await server.shutdown();
});

Deno.test("createPageClient: attempts once, since the server retries", async () => {
  const service = createTestService({ faults: () => ({ kind: "status", status: 503 }) });
  const { server, client } = serve(service);
  const { status } = await failure("http", client.fileSets.search());
  assertEquals([status, service.requests.length], [503, 1]);
  await server.shutdown();
});
