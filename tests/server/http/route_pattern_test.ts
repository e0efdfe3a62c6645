import { assertEquals } from "@std/assert";
import { requestIdOf } from "../../../server/http/request_id.ts";
import { knownMethod, routePattern } from "../../../server/http/route_pattern.ts";

const root = new URL("../../../", import.meta.url);

Deno.test("routePattern: ids and unknown words are left out", () => {
  assertEquals(routePattern("/filesets/abcdef12-3456-4890-abcd-ef1234567890"), "/filesets/:id");
  assertEquals(routePattern("/schedules/101/runs/5"), "/schedules/:id/runs/:id");
  assertEquals(routePattern("/secret-token-abc123"), "/:id");
  assertEquals(routePattern("/"), "/");
  assertEquals(routePattern("/a".repeat(1000)), "/:id".repeat(8));
});

Deno.test("knownMethod: what nobody knows is left out", () => {
  assertEquals(["GET", "get", "PLANTED"].map(knownMethod), ["GET", "_OTHER", "_OTHER"]);
});

Deno.test("routePattern: knows every word of the routes", async () => {
  const words = new Set<string>();
  async function visit(folder: URL) {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      if (name.startsWith("_")) continue;
      const word = name.replace(/\.tsx?$/, "");
      if (!/[[(]/.test(word) && word !== "index") words.add(word);
      if (isDirectory) await visit(new URL(`${encodeURIComponent(name)}/`, folder));
    }
  }
  await visit(new URL("routes/", root));
  for (const word of words) assertEquals(routePattern(`/${word}`), `/${word}`);
});

Deno.test("requestIdOf: keeps a name that is safe to repeat, and makes one otherwise", () => {
  const idFor = (given?: string) =>
    requestIdOf(
      new Request("http://localhost/", { headers: given ? { "x-request-id": given } : {} }),
    );
  assertEquals(idFor("proxy-1.a_b"), "proxy-1.a_b");
  for (const unsafe of [undefined, "a b", "<b>", "x".repeat(65), "a=b"]) {
    assertEquals(/^[0-9a-f-]{36}$/.test(idFor(unsafe)), true, unsafe);
  }
});
