import { assertEquals } from "@std/assert";
import { createTestService, makeFileSets } from "../../../lib/testing/mod.ts";
import { TOKEN } from "../client/client_setup.ts";

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
