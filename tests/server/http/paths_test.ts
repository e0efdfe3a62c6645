import fc from "fast-check";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { knownMethod, normalPath, safeRedirectPath } from "../../../server/http/paths.ts";
import { anyText } from "../../any_text.ts";

Deno.test("normalPath, knownMethod: one form of each; what is not public has no route", () => {
  const paths = {
    "/schedules/101": "/schedules/101",
    "/reportschedules/%31%301/history": "/reportschedules/101/history",
    "/a%2Db%2e%5F%7E%41%7A%61%5a": "/a-b._~AzaZ",
    "/a%2Fb%20c%3F%23%25%40%5B%60%7B": "/a%2Fb%20c%3F%23%25%40%5B%60%7B",
    "/%c3%a9": "/%c3%a9",
    "": "",
    "/filesets/%ff": "/nowhere",
    "/%": "/nowhere",
    "/.vite/manifest.json": "/nowhere",
    "/%2Evite/manifest.json": "/nowhere",
    "/api/%ff": "/api/nowhere",
  };
  for (const [path, normal] of Object.entries(paths)) assertEquals(normalPath(path), normal);
  assertEquals(["GET", "get", "PLANTED"].map(knownMethod), ["GET", "_OTHER", "_OTHER"]);
});

/** That a browser on one of our pages stays with us when it is sent there. */
function assertStays(text: string): void {
  const path = safeRedirectPath(text);
  // Visible ASCII, so that it is the same text in a header.
  assertMatch(path, /^\/(?![/\\])[\x21-\x7e]*$/);
  for (const origin of ["https://docket.example.com", "http://127.0.0.1:8000"]) {
    for (const page of ["", "/schedules/101"]) {
      assert(new URL(path, origin + page).origin === origin, `${JSON.stringify(text)} led away`);
    }
  }
}

Deno.test("safeRedirectPath: a path with its query stays; nothing leads to another site", () => {
  assertEquals(safeRedirectPath("/schedules/101?skip=100"), "/schedules/101?skip=100");
  for (const text of [null, "", "filesets", "https://other.example/", "javascript:alert(1)"]) {
    assertEquals(safeRedirectPath(text), "/", String(text));
  }
  const blanks = "\t \n \r \0 \u00a0 \u2028 \ufeff \ud800 。 ／".split(" ");
  const encoded = "%2f %5C %09 %0a %2e %00 %E3%80%82".split(" ");
  const others = "/ \\ . .. @ : ? # % // /\\ other.example http: javascript:".split(" ");
  const piece = fc.oneof(fc.constantFrom(" ", ...blanks, ...encoded, ...others), anyText(4));
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
  const leading = fc.constantFrom("", "/", "//", "/\\", "/\t/", "/.//", "/x/..//", "/%2e//");
  const check = (start: string, rest: string) => assertStays(start + rest);
  fc.assert(fc.property(leading, text, check), { numRuns: 1000 });
});
