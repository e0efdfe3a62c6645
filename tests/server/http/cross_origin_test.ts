import { assertEquals } from "@std/assert";
import { isCrossOrigin, isNavigation } from "../../../server/http/cross_origin.ts";

const ORIGIN = "https://docket.example.com";

function foreign(headers: Record<string, string>): boolean {
  return isCrossOrigin(new Request(`${ORIGIN}/sign-out`, { headers }), ORIGIN);
}

Deno.test("isCrossOrigin: the browser's own word decides", () => {
  assertEquals(foreign({ "sec-fetch-site": "same-origin" }), false);
  assertEquals(foreign({ "sec-fetch-site": "none" }), false);
  assertEquals(foreign({ "sec-fetch-site": "same-site", origin: ORIGIN }), true);
  assertEquals(foreign({ "sec-fetch-site": "cross-site" }), true);
});

Deno.test("isCrossOrigin: older browsers say their origin", () => {
  assertEquals(foreign({ origin: ORIGIN }), false);
  assertEquals(foreign({ origin: "https://other.example" }), true);
  assertEquals(foreign({ origin: "null" }), true);
});

Deno.test("isCrossOrigin: programs say neither", () => {
  assertEquals(foreign({}), false);
});

Deno.test("isNavigation: following a link in a tab, and nothing else", () => {
  const opens = (method: string, mode: string, dest: string, pathname = "/schedules/101") =>
    isNavigation(
      new Request(ORIGIN, {
        method,
        headers: { "sec-fetch-mode": mode, "sec-fetch-dest": dest },
      }),
      pathname,
    );
  assertEquals(opens("GET", "navigate", "document"), true);
  assertEquals(opens("POST", "navigate", "document"), false);
  assertEquals(opens("GET", "navigate", "iframe"), false);
  assertEquals(opens("GET", "no-cors", "image"), false);
  assertEquals(opens("GET", "navigate", "document", "/filesets/export"), false);
  assertEquals(isNavigation(new Request(ORIGIN), "/"), false);
});
