import { assertEquals } from "@std/assert";
import { createSealing, sameSecret } from "../../../server/auth/sealing.ts";

const [NEW, OLD] = ["new-".repeat(8), "old-".repeat(8)];

Deno.test("createSealing: opens what any of its keys sealed, and nothing changed", async () => {
  const sealing = createSealing([NEW, OLD]);
  const values = [
    [await sealing.seal("secret"), true],
    [await createSealing([OLD]).seal("secret"), false],
  ] as const;
  for (const [sealed, isByFirst] of values) {
    assertEquals([await sealing.open(sealed), sealing.isByFirstKey(sealed)], ["secret", isByFirst]);
    const changed = sealed.replace(/(?<=\*[^*]{20})./, (letter) => letter === "A" ? "B" : "A");
    for (const text of [changed, sealed.slice(0, -1), ""]) {
      assertEquals(await sealing.open(text), undefined, text);
    }
    assertEquals(await createSealing(["other-".repeat(6)]).open(sealed), undefined);
  }
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
