import { assertEquals } from "@std/assert";
import { createSealedCookies } from "../../../server/auth/sealed_cookies.ts";
import { createSealing } from "../../../server/auth/sealing.ts";

const ORIGIN = "http://localhost:8000";

Deno.test("createSealedCookies: a cookie that comes again is not opened again, and a changed one is", async () => {
  const sealing = createSealing(["0123456789abcdef0123456789abcdef"]);
  let opened = 0;
  const cookies = createSealedCookies({
    ...sealing,
    open(sealed) {
      opened++;
      return sealing.open(sealed);
    },
  });
  const set = new Headers();
  await cookies.put(set, "session", { id: "a" }, { origin: ORIGIN, maxAge: 60 });
  const [cookie] = set.getSetCookie()[0].split(";");
  const read = (text: string) => cookies.read(new Headers({ cookie: text }), "session", ORIGIN);

  assertEquals([await read(cookie), await read(cookie)], [{ id: "a" }, { id: "a" }]);
  assertEquals(opened, 1);
  assertEquals([await read(`${cookie}x`), await read(`${cookie}x`)], [undefined, undefined]);
  assertEquals(opened, 3);
});

Deno.test("createSealedCookies: sets no cookie that browsers would drop, but for a session", async () => {
  const cookies = createSealedCookies({
    ...createSealing(["0123456789abcdef0123456789abcdef"]),
    seal: (value) => Promise.resolve(String(value)),
  });
  const put = async (kind: "oidc" | "session", length: number) => {
    const set = new Headers();
    const isSet = await cookies.put(set, kind, "x".repeat(length), { origin: ORIGIN, maxAge: 60 });
    assertEquals(set.getSetCookie().length, isSet ? 1 : 0);
    return isSet;
  };
  assertEquals([await put("oidc", 3900), await put("oidc", 3901)], [true, false]);
  assertEquals(await put("session", 3901), true);
});
