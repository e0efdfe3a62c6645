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
  for (const at of [0, 8, Math.floor(sealed.length / 2), sealed.length - 1]) {
    // Far apart in the alphabet: the last character has bits that mean nothing.
    const other = sealed[at] === "A" ? "g" : "A";
    const changed = `${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`;
    assertEquals(await sealing.open(changed), undefined);
  }
  for (const text of [sealed.slice(0, -1), ""]) assertEquals(await sealing.open(text), undefined);
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
