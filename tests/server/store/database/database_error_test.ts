import { assertEquals } from "@std/assert";
import {
  DatabaseError,
  type DatabaseErrorKind,
} from "../../../../server/store/database/database_error.ts";

Deno.test("DatabaseError: says when to retry, or ends the start where somebody has to act", () => {
  const cases: [DatabaseErrorKind[], number | undefined, boolean][] = [
    [["unreachable", "noConnection", "busy", "timeout", "locked", "opening"], 5, false],
    [["full", "readOnly"], undefined, false],
    [["damaged", "missing", "accessDenied", "unusable"], undefined, true],
  ];
  for (const [kinds, seconds, ends] of cases) {
    for (const kind of kinds) {
      const { problem, endsStart } = new DatabaseError(kind, "", "act");
      assertEquals([kind, problem.retryAfterSeconds, endsStart], [kind, seconds, ends]);
    }
  }
});
