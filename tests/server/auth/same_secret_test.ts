import { assertEquals } from "@std/assert";
import { sameSecret } from "../../../server/auth/sealing.ts";

Deno.test("sameSecret: only the same text is the same secret, whatever the lengths", () => {
  assertEquals(sameSecret("token", "token"), true);
  assertEquals(sameSecret("", ""), true);
  for (
    const other of ["Token", "toke", "token ", "token\0", "", "t\u00f6ken", "x".repeat(10_000)]
  ) {
    assertEquals(sameSecret("token", other), false, other);
  }
});

Deno.test("sameSecret: long secrets are compared to their end", () => {
  const long = "x".repeat(1000);
  assertEquals(sameSecret(long, long), true);
  for (const other of [`${long}x`, long.slice(1), `${long.slice(1)}y`, `${long.slice(2)}é`]) {
    assertEquals(sameSecret(long, other), false);
  }
  assertEquals(sameSecret("é".repeat(200), "é".repeat(200)), true);
  assertEquals(sameSecret("e".repeat(256), "é".repeat(256)), false);
});
