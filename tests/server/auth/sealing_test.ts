import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { createSealing, sameSecret } from "../../../server/auth/sealing.ts";

const [OLD, NEW] = ["old-key-".repeat(4), "new-key-".repeat(4)];

Deno.test("createSealing: what one key sealed is opened with it, also after it was rotated", async () => {
  const sealed = await createSealing([OLD]).seal({ secret: "planted" });
  assertEquals(await createSealing([NEW, OLD]).open(sealed), { secret: "planted" });
  assertEquals(await createSealing([NEW]).open(sealed), undefined);
  const again = await createSealing([NEW, OLD]).seal({ secret: "planted" });
  assertEquals(await createSealing([NEW]).open(again), { secret: "planted" });
});

Deno.test("createSealing: what is sealed shows nothing, differs each time, and can't be changed", async () => {
  const sealing = createSealing([NEW]);
  const sealed = await sealing.seal("planted");
  assert(!sealed.includes("planted") && !sealed.includes(NEW));
  assertNotEquals(await sealing.seal("planted"), sealed);
  // Far apart in the alphabet: the last character has bits that mean nothing.
  const changed = [0, 8, sealed.length >> 1, sealed.length - 1]
    .map((at) => `${sealed.slice(0, at)}${sealed[at] === "A" ? "g" : "A"}${sealed.slice(at + 1)}`);
  for (const text of [...changed, sealed.slice(0, -1), ""]) {
    assertEquals(await sealing.open(text), undefined);
  }
});

Deno.test("sameSecret: only the same text is the same secret, whatever the lengths", () => {
  const long = "x".repeat(1000);
  for (const secret of ["token", "", long]) assertEquals(sameSecret(secret, secret), true);
  for (const other of ["Token", "toke", "token\0", "", long]) {
    assertEquals(sameSecret("token", other), false, other);
  }
  assertEquals(sameSecret(long, `${long.slice(1)}y`), false);
});
