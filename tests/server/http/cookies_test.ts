import { assertEquals } from "@std/assert";
import { cookiesOf } from "../../../server/http/cookies.ts";

Deno.test("cookiesOf: reads each cookie by its name", () => {
  assertEquals(cookiesOf(new Headers({ cookie: "a=1; b=x=y" })), { a: "1", b: "x=y" });
});

Deno.test("cookiesOf: a malformed cookie does not hide the others", () => {
  assertEquals(cookiesOf(new Headers({ cookie: "=junk; a=1; lonely; b=2;" })).b, "2");
  assertEquals(cookiesOf(new Headers({ cookie: "=junk; a=1" })).a, "1");
});

Deno.test("cookiesOf: without cookies there are none", () => {
  assertEquals(cookiesOf(new Headers()), {});
});
