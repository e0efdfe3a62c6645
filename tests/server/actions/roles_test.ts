import { assertEquals, assertThrows } from "@std/assert";
import { allowedAt, neededRole } from "../../../server/actions/roles.ts";
import { ProblemError } from "../../../server/http/problem.ts";

Deno.test("neededRole: HEAD as GET, any slash at the end, a fixed path before a parameter", () => {
  assertEquals(neededRole("GET", "/people"), "reader");
  assertEquals(neededRole("HEAD", "/people/"), "reader");
  assertEquals(neededRole("GET", "/"), "user");
  assertEquals(neededRole("GET", "/people/leavers"), "operator");
  assertEquals(neededRole("GET", "/owners/people"), "reader");
  assertEquals(neededRole("GET", "/filesets/metrics"), "user");
});

Deno.test("neededRole: what is not listed is refused", () => {
  const refused = (method: string, path: string) =>
    assertThrows(() => neededRole(method, path), ProblemError).problem;
  for (const path of ["/what/is/new", "/People", "/service/more"]) {
    const { status, detail } = refused("GET", path);
    assertEquals([status, detail], [403, "Docket has no such address, or lets nobody use it"]);
  }
  assertEquals(refused("DELETE", "/owners/Finance").status, 405);
  assertEquals(refused("constructor", "/owners").status, 405);
  assertEquals(refused("PUT", "/owners").headers, { allow: "GET, HEAD, POST, OPTIONS" });
  assertEquals(allowedAt("/schedules/watch"), "POST, OPTIONS");
});
