import { assertEquals } from "@std/assert";
import { sameSecret } from "../../../server/auth/same_secret.ts";

Deno.test("sameSecret: only the same text is the same secret, whatever the lengths", () => {
  assertEquals(sameSecret("token", "token"), true);
  assertEquals(sameSecret("", ""), true);
  for (
    const other of ["Token", "toke", "token ", "token\0", "", "t\u00f6ken", "x".repeat(10_000)]
  ) {
    assertEquals(sameSecret("token", other), false, other);
  }
});
