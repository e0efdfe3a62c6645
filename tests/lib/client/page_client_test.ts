import { assertEquals } from "@std/assert";
import { createPageClient } from "../../../lib/client/page_client.ts";
import { createTestService, listen, makeFileSets } from "../../../lib/testing/mod.ts";
import { failure } from "./client_setup.ts";

Deno.test("createPageClient: sends no token, and reads every row", async () => {
  const service = createTestService({ fileSets: makeFileSets(150) });
  await using server = await listen(service);
  const walk = createPageClient(server.url).fileSets.search().walk();
  assertEquals(await Array.fromAsync(walk), makeFileSets(150));
  assertEquals(
    service.requests.some(({ headers }) => "x-service-developer-token" in headers),
    false,
  );
});

Deno.test("createPageClient: attempts once, since the server retries", async () => {
  const service = createTestService({ faults: () => ({ kind: "status", status: 503 }) });
  await using server = await listen(service);
  const { status } = await failure("http", createPageClient(server.url).fileSets.search());
  assertEquals([status, service.requests.length], [503, 1]);
});
