import { assertEquals } from "@std/assert";
import { localPath } from "../../server/local_path.ts";

Deno.test("localPath: a path with its query is kept", () => {
  assertEquals(localPath("/schedules/101?skip=100"), "/schedules/101?skip=100");
});

Deno.test("localPath: what leads elsewhere becomes the start", () => {
  const elsewhere = [
    null,
    "",
    "filesets",
    "https://other.example/",
    "//other.example/",
    "/\\other.example/",
    "/\t/other.example/",
    "/\n//other.example",
    "/.//other.example",
    "/x/..//other.example",
    "javascript:alert(1)",
  ];
  for (const text of elsewhere) assertEquals(localPath(text), "/filesets", String(text));
});
