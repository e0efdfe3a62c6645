import { assertEquals, assertMatch } from "@std/assert";
import type { DatabaseError } from "../../../../server/store/database_error.ts";
import { toDatabaseError } from "../../../../server/store/postgres/postgres_errors.ts";

function errorOf(code: string, message: string): Error {
  return Object.assign(new TypeError(message), { code });
}

Deno.test("toDatabaseError: an error of Node's own is a bug of ours, and no outage", () => {
  const error = errorOf("ERR_INVALID_ARG_TYPE", "The argument must be a string");
  assertEquals(toDatabaseError(error), error);
});

Deno.test("toDatabaseError: a certificate that can't be verified: says what to do", () => {
  const thrown = errorOf(
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "unable to verify the first certificate",
  );
  const error = toDatabaseError(thrown) as DatabaseError;
  assertEquals(error.kind, "unreachable");
  assertMatch(error.message, /sslmode/);
});
