import { assertEquals } from "@std/assert";
import {
  DatabaseError,
  type DatabaseErrorKind,
} from "../../../../server/store/database/database_error.ts";

function errorsOf(kinds: readonly DatabaseErrorKind[]): readonly DatabaseError[] {
  return kinds.map((kind) => new DatabaseError(kind, "", "act"));
}

Deno.test("DatabaseError: says when to retry only if waiting may help", () => {
  const passing = errorsOf(["unreachable", "noConnection", "busy", "timeout", "locked", "opening"]);
  const lasting = errorsOf(["full", "readOnly", "damaged", "missing", "accessDenied", "unusable"]);
  const seconds = (error: DatabaseError) => error.problem.retryAfterSeconds;
  assertEquals(passing.map(seconds), passing.map(() => 5));
  assertEquals(lasting.map(seconds), lasting.map(() => undefined));
});

Deno.test("DatabaseError: ends the start where somebody has to act first", () => {
  const ending = errorsOf(["damaged", "missing", "accessDenied", "unusable"]);
  assertEquals(ending.map(({ endsStart }) => endsStart), [true, true, true, true]);
  const others = errorsOf(["unreachable", "noConnection", "busy", "locked", "full", "readOnly"]);
  assertEquals(others.some(({ endsStart }) => endsStart), false);
});
