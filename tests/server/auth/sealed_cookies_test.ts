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
