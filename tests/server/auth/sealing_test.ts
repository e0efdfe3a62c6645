import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { createSealedCookies } from "../../../server/auth/sealed_cookies.ts";
import { createSealing, digestOfSecret, sameSecret } from "../../../server/auth/sealing.ts";

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
  assertEquals(await sealing.open(sealed.slice(0, -1)), undefined);
  assertEquals(await sealing.open(""), undefined);
});

Deno.test("createSealedCookies: a cookie that comes again is not opened again, and a changed one is", async () => {
  const sealing = createSealing([NEW]);
  let opened = 0;
  const open = (sealed: string) => (opened++, sealing.open(sealed));
  const cookies = createSealedCookies({ ...sealing, open });
  const [set, origin] = [new Headers(), "http://localhost:8000"];
  await cookies.put(set, "session", { id: "a" }, { origin, maxAge: 60 });
  const [cookie] = set.getSetCookie()[0].split(";");
  const read = (text: string) => cookies.read(new Headers({ cookie: text }), "session", origin);
  assertEquals([await read(cookie), await read(cookie), opened], [{ id: "a" }, { id: "a" }, 1]);
  assertEquals([await read(`${cookie}x`), await read(`${cookie}x`)], [undefined, undefined]);
  assertEquals(opened, 3);
});

Deno.test("digestOfSecret: differs by secret and by purpose, and shows neither", () => {
  const digest = digestOfSecret(OLD, "SESSION_KEY");
  assertMatch(digest, /^[0-9a-f]{32}$/);
  assertNotEquals(digest, digestOfSecret(NEW, "SESSION_KEY"));
  assertNotEquals(digest, digestOfSecret(OLD, "RECORDS_KEY"));
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
