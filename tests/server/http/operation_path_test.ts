import { assertEquals } from "@std/assert";
import { operationAt } from "../../../server/http/operation_path.ts";

Deno.test("operationAt: the interface's two paths, and none beside them", () => {
  const search = { name: "search", methods: ["POST", "OPTIONS"] };
  assertEquals(operationAt("/api/files/v1/filesets/search"), search);
  const history = { name: "history", methods: ["GET", "HEAD", "OPTIONS"], scheduleId: "101" };
  assertEquals(operationAt("/api/content/v1/reportschedules/101/history"), history);
  assertEquals(operationAt("/api/files/v1/filesets/search/"), search);
  assertEquals(operationAt("/api/content/v1/reportschedules/101/history/"), history);
  for (
    const path of [
      "/api/files/v1/filesets/search//",
      "/api/files/v1/filesets",
      "/api/content/v1/reportschedules/1/2/history",
      "/api/content/v1/reportschedules//history",
      "/api/openapi.json",
      "/x/api/files/v1/filesets/search",
      "/filesets",
      "",
    ]
  ) {
    assertEquals(operationAt(path), null, path);
  }
});
