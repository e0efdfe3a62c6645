import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { getCACertificates } from "node:tls";
// @ts-types="@types/pg"
import pg from "pg";
import { DatabaseError } from "../../../../server/store/database/database.ts";
import { readAddress, toDatabaseError } from "../../../../server/store/database/postgresql.ts";

Deno.test("toDatabaseError: says the kind of error and what to do, but no row's value", () => {
  const errorOf = (code: string, message: string) =>
    Object.assign(new TypeError(message), { code });
  const cases = [
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "first certificate", "unreachable", "sslmode"],
    ["0A000", 'extension "pg_trgm" is not available', "unusable", "pg_trgm"],
    ["58P01", "could not open extension control file", "unusable", "pg_trgm"],
    ["XX001", "invalid page in block 1", "damaged", "backup"],
    ["58030", "could not read file", "damaged", "backup"],
    ["25006", "cannot execute INSERT", "readOnly", "a primary"],
    ["53300", "sorry, too many clients already", "noConnection", "max_connections"],
    ["53100", "could not extend file", "full", "PostgreSQL's disk"],
    ["57P01", "terminating connection", "unreachable", "DATABASE_URL"],
    ["ECONNRESET", "read ECONNRESET", "unreachable", "DATABASE_URL"],
  ] as const;
  for (const [code, message, kind, advice] of cases) {
    const error = toDatabaseError(errorOf(code, message)) as DatabaseError;
    assertEquals(error.kind, kind);
    assertMatch(error.message, RegExp(`^The database .* \\(${code}\\): .*${advice}`));
    assert(!error.message.includes(message), error.message);
  }
  // One of Node's own is a bug of ours, and no outage.
  const bug = errorOf("ERR_INVALID_ARG_TYPE", "The argument must be a string");
  assertEquals(toDatabaseError(bug), bug);
  const thrown = new pg.DatabaseError("invalid input: somebody@example.com", 0, "error");
  const error = toDatabaseError(Object.assign(thrown, { code: "22P02", table: "runs" }));
  assert(!Deno.inspect(error).includes("somebody"));
  assertEquals((error as Error).message, "PostgreSQL rejected a query on runs with code 22P02");
});

Deno.test("readAddress: names a certificate that can't be read, or is none", async () => {
  const path = await Deno.makeTempFile({ suffix: ".pem" });
  await Deno.writeTextFile(path, "not a certificate");
  const cases = [
    ["sslrootcert", "/nowhere/ca.pem", "can't be read"],
    ["sslkey", "/nowhere/key.pem", "can't be read"],
    ["sslcert", path, "has no certificate (PEM)"],
  ] as const;
  for (const [name, file, problem] of cases) {
    const url = `postgres://db/docket?sslmode=verify-full&${name}=${file}`;
    const { kind, message } = assertThrows(() => readAddress(url), DatabaseError);
    assertEquals(kind, "unusable");
    assertStringIncludes(message, `${file}, which ${name} in DATABASE_URL names, ${problem}`);
  }
  await Deno.remove(path);
});

Deno.test("readAddress: sslrootcert=system trusts the system's certificates, and checks the name", () => {
  const url = "postgres://docket@db.example.com/docket";
  assertEquals(readAddress(`${url}?sslmode=require&sslrootcert=system&application_name=a`), {
    connectionString: `${url}?application_name=a`,
    // Node checks the name unless it is told not to.
    ssl: { ca: getCACertificates("system"), cert: undefined, key: undefined },
  });
  const others = `${url}?sslmode=require`;
  assertEquals(readAddress(others), { connectionString: others });
});
