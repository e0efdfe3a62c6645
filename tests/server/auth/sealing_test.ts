import { assertEquals } from "@std/assert";
import { createSealing, sameSecret } from "../../../server/auth/sealing.ts";

const [OLD, NEW] = ["old-key-".repeat(4), "new-key-".repeat(4)];

Deno.test("createSealing: what one key sealed is opened with it, also after it was rotated", async () => {
  const sealed = await createSealing([OLD]).seal({ secret: "planted" });
  assertEquals(await createSealing([NEW, OLD]).open(sealed), { secret: "planted" });
  assertEquals(await createSealing([NEW]).open(sealed), undefined);
  const again = await createSealing([NEW, OLD]).seal({ secret: "planted" });
  assertEquals(await createSealing([NEW]).open(again), { secret: "planted" });
});

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
