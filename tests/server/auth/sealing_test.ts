import { assertEquals } from "@std/assert";
import { sameSecret } from "../../../server/auth/sealing.ts";

Deno.test("sameSecret: only the same text is the same secret, whatever the lengths", () => {
  const long = "x".repeat(1000);
  for (const secret of ["token", "", long]) assertEquals(sameSecret(secret, secret), true);
  for (const other of ["Token", "toke", "token\0", "", long]) {
    assertEquals(sameSecret("token", other), false, other);
  }
  for (const other of [`${long}x`, `${long.slice(1)}y`, `${long.slice(2)}é`]) {
    assertEquals(sameSecret(long, other), false);
  }
});
