import { assertEquals } from "@std/assert";
import { readCookies } from "../../../server/http/cookies.ts";

Deno.test("readCookies: reads each cookie by its name", () => {
  assertEquals(readCookies(new Headers({ cookie: "a=1; b=x=y" })), { a: "1", b: "x=y" });
});

Deno.test("readCookies: a malformed cookie does not hide the others", () => {
  assertEquals(readCookies(new Headers({ cookie: "=junk; a=1; lonely; b=2;" })).b, "2");
  assertEquals(readCookies(new Headers({ cookie: "=junk; a=1" })).a, "1");
});

Deno.test("readCookies: without cookies there are none", () => {
  assertEquals(readCookies(new Headers()), {});
});
