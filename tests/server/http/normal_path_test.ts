import { assertEquals } from "@std/assert";
import { normalPath } from "../../../server/http/normal_path.ts";

Deno.test("normalPath: decodes what need not be encoded, and nothing else", () => {
  for (
    const [path, normal] of [
      ["/schedules/101", "/schedules/101"],
      ["/reportschedules/%31%301/history", "/reportschedules/101/history"],
      ["/a%2Db%2e%5F%7E%41%7A%61%5a", "/a-b._~AzaZ"],
      ["/a%2Fb%20c%3F%23%25%40%5B%60%7B", "/a%2Fb%20c%3F%23%25%40%5B%60%7B"],
      ["/%c3%a9", "/%c3%a9"],
      ["", ""],
    ]
  ) {
    assertEquals(normalPath(path), normal);
  }
});

Deno.test("normalPath: what can't be decoded or is not public has no route", () => {
  for (const path of ["/filesets/%ff", "/%", "/.vite/manifest.json", "/%2Evite/manifest.json"]) {
    assertEquals(normalPath(path), "/nowhere", path);
  }
  assertEquals(normalPath("/api/%ff"), "/api/nowhere");
});
