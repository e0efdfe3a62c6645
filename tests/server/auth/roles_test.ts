import { assertThrows } from "@std/assert";
import { requireRole } from "../../../server/auth/roles.ts";
import { ProblemError } from "../../../server/http/problem.ts";

Deno.test("requireRole: a reader reads, and an operator does everything", () => {
  for (const action of ["GET /people", "POST /people", "GET /incidents/feeds", "POST /owners"]) {
    requireRole("operator", action);
  }
  requireRole("reader", "GET /people");
  requireRole("reader", "POST /people");
  for (const action of ["POST /owners", "GET /incidents/feeds", "DELETE /what/is/new"]) {
    assertThrows(() => requireRole("reader", action), ProblemError, "Only operators");
  }
});
