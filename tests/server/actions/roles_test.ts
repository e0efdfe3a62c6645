import { assert, assertEquals, assertThrows } from "@std/assert";
import { allowedAt, neededRole } from "../../../server/actions/roles.ts";
import { RECORD_OPERATIONS } from "../../../server/api/records.ts";
import { RECORDS_API } from "../../../server/http/paths.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { SEARCH } from "../../app.ts";
import { RECORDS, routeFiles } from "../../route_paths.ts";

Deno.test("neededRole: any spelling, a fixed path before a parameter, and nothing that is not listed", () => {
  assertEquals([neededRole("GET", "/"), neededRole("HEAD", "/people/")], ["user", "reader"]);
  assertEquals([neededRole("GET", "/people/leavers"), neededRole("GET", "/people/7")], [
    ...["operator", "reader"],
  ]);
  const refused = (method: string, path: string) =>
    assertThrows(() => neededRole(method, path), ProblemError).problem;
  const started = performance.now();
  for (const path of ["/what/is/new", "/People", "/service/more", `/api${"/".repeat(1e5)}x`]) {
    const { status, detail } = refused("GET", path);
    assertEquals([status, detail], [403, "Docket has no such address, or lets nobody use it"]);
  }
  // Whatever its length, a path is read in no time.
  assert(performance.now() - started < 2000);
  assertEquals(refused("DELETE", "/owners/Finance").status, 405);
  assertEquals(refused("constructor", "/owners").status, 405);
  assertEquals(refused("PUT", "/owners").headers, { allow: "GET, HEAD, POST, OPTIONS" });
  assertEquals(allowedAt("/schedules/watch"), "POST, OPTIONS");
});

/** The methods that the table lists: HEAD and OPTIONS are for the answer alone. */
const methodsAt = (path: string) =>
  allowedAt(path).split(", ").filter((method) => method !== "HEAD" && method !== "OPTIONS").sort();

/** What the code of a route handles; of an operation, it is for the entry to say. */
const HANDLED = /^ {2}(?:async )?(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b/gm;

const TABLE = await Deno.readTextFile("server/actions/roles.ts");
const LISTED = [...TABLE.matchAll(/^ {2}"(\/.*?)": \{/gm)].map(([, path]) => path);

Deno.test("roles: only operators change what others see", () => {
  const others = LISTED.filter((path) =>
    methodsAt(path).some((method) => method !== "GET" && neededRole(method, path) !== "operator")
  );
  // Searches, and what is stored in the person's own browser.
  const searches = ["/schedules/:scheduleId", "/schedules/:scheduleId/recipients", "/people"];
  assertEquals(others, ["/sign-in", "/sign-out", SEARCH, "/go", "/preferences", ...searches]);
});

Deno.test("roles: the table lists every method of every route and operation, and nothing else", async () => {
  const handled: Record<string, string[]> = {};
  for (const { method, path } of RECORD_OPERATIONS) {
    (handled[RECORDS_API + path] ??= []).push(method);
  }
  for (const [path, file] of routeFiles()) {
    const pattern = path.replace(/\[(\w+)\]/g, ":$1");
    const code = await Deno.readTextFile(file);
    if (path === RECORDS) continue;
    handled[pattern] = code.includes("answerOperation(")
      ? methodsAt(pattern)
      : [...code.matchAll(HANDLED)].map(([, method]) => method);
  }
  for (const methods of Object.values(handled)) methods.sort();
  assertEquals(handled, Object.fromEntries(LISTED.map((path) => [path, methodsAt(path)])));
});
