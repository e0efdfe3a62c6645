import { assertEquals } from "@std/assert";
import { sameSecret } from "../../../server/auth/same_secret.ts";

Deno.test("sameSecret: only the same text is the same secret, whatever the lengths", async () => {
  assertEquals(await sameSecret("token", "token"), true);
  assertEquals(await sameSecret("", ""), true);
  for (
    const other of ["Token", "toke", "token ", "token\0", "", "t\u00f6ken", "x".repeat(10_000)]
  ) {
    assertEquals(await sameSecret("token", other), false, other);
  }
});
