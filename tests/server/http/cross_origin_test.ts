import { assertEquals } from "@std/assert";
import { isOperation, methodsOf } from "../../../server/http/cross_origin.ts";

Deno.test("isOperation: the interface's two paths, and none beside them", () => {
  assertEquals(isOperation("/api/files/v1/filesets/search"), true);
  assertEquals(isOperation("/api/content/v1/reportschedules/101/history"), true);
  // The router takes them so as well.
  assertEquals(isOperation("/api/files/v1/filesets/search/"), true);
  assertEquals(isOperation("/api/content/v1/reportschedules/101/history/"), true);
  for (
    const path of [
      "/api/files/v1/filesets/search//",
      "/api/files/v1/filesets",
      "/api/content/v1/reportschedules/1/2/history",
      "/api/openapi.json",
      "/x/api/files/v1/filesets/search",
      "/filesets",
      "",
    ]
  ) {
    assertEquals(isOperation(path), false, path);
  }
});

Deno.test("methodsOf: only the methods that an operation has", () => {
  assertEquals(methodsOf("/api/files/v1/filesets/search"), "POST, OPTIONS");
  const history = "/api/content/v1/reportschedules/101/history";
  assertEquals(methodsOf(history), "GET, HEAD, OPTIONS");
  assertEquals(methodsOf("/filesets"), undefined);
});
