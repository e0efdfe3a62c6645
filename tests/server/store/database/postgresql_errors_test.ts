import { assert, assertEquals, assertStringIncludes } from "@std/assert";
// @ts-types="@types/pg"
import pg from "pg";
import type { DatabaseError } from "../../../../server/store/database/database_error.ts";
import { toDatabaseError } from "../../../../server/store/database/postgresql_errors.ts";

function errorOf(code: string, message: string): Error {
  return Object.assign(new TypeError(message), { code });
}

Deno.test("toDatabaseError: says what kind of error it is, and what to do", () => {
  const cases = [
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "first certificate", "unreachable", "sslmode"],
    ["0A000", 'extension "pg_trgm" is not available', "unusable", "pg_trgm"],
    ["58P01", "could not open extension control file", "unusable", "pg_trgm"],
    ["XX001", "invalid page in block 1", "damaged", "backup"],
    ["53300", "sorry, too many clients already", "noConnection", "max_connections"],
    ["53100", "could not extend file", "full", "PostgreSQL's disk"],
    ["57P01", "terminating connection", "unreachable", "DATABASE_URL"],
    ["ECONNRESET", "read ECONNRESET", "unreachable", "DATABASE_URL"],
  ] as const;
  for (const [code, message, kind, advice] of cases) {
    const error = toDatabaseError(errorOf(code, message)) as DatabaseError;
    assertEquals(error.kind, kind);
    assertStringIncludes(error.message, advice);
    assert(!error.message.includes(message), error.message);
  }
});

Deno.test("toDatabaseError: an error of Node's own is a bug of ours, and no outage", () => {
  const error = errorOf("ERR_INVALID_ARG_TYPE", "The argument must be a string");
  assertEquals(toDatabaseError(error), error);
});

Deno.test("toDatabaseError: an unexpected error repeats no value of a row", () => {
  const thrown = new pg.DatabaseError("invalid input: somebody@example.com", 0, "error");
  const error = toDatabaseError(Object.assign(thrown, { code: "22P02", table: "runs" }));
  assert(!Deno.inspect(error).includes("somebody"));
  assertEquals((error as Error).message, "PostgreSQL rejected a query on runs with code 22P02");
});
