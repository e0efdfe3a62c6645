import { assertEquals } from "@std/assert";
import { readCookies } from "../../../server/http/cookies.ts";

function cookiesIn(cookie: string) {
  return readCookies(new Headers({ cookie }));
}

Deno.test("readCookies: reads each cookie by its name", () => {
  assertEquals(cookiesIn("docket_a=1; docket_b=x=y; __Host-docket_c="), {
    docket_a: "1",
    docket_b: "x=y",
    "__Host-docket_c": "",
  });
});

Deno.test("readCookies: cookies of other programs on the host are left out", () => {
  assertEquals(cookiesIn("session=1; docket_a=1; xdocket_b=2; DOCKET_c=3"), { docket_a: "1" });
});

Deno.test("readCookies: a malformed cookie does not hide the others", () => {
  assertEquals(cookiesIn("=junk; docket_a=1; docket_lonely; docket_b=2;"), {
    docket_a: "1",
    docket_b: "2",
  });
});

Deno.test("readCookies: of more than is sensible, only the beginning is read", () => {
  for (const filler of [";", "a=b;", "docket_x=y;", "x"]) {
    const rest = filler.repeat(Math.ceil(60_000 / filler.length));
    const cookies = cookiesIn(`docket_a=1;${rest};docket_last=2`);
    assertEquals([cookies.docket_a, cookies.docket_last], ["1", undefined], filler);
  }
});
