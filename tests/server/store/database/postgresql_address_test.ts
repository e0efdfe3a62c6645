import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { getCACertificates } from "node:tls";
import { DatabaseError } from "../../../../server/store/database/database_error.ts";
import { readAddress } from "../../../../server/store/database/postgresql_address.ts";

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
