import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { safeRedirectPath } from "../../../server/http/safe_redirect_path.ts";
import { anyText } from "../../any_text.ts";
import { LEADING_AWAY } from "./leading_away.ts";

const ORIGINS = ["https://docket.example.com", "http://127.0.0.1:8000"];

/** Whether a browser on one of our pages stays with us when it is told to go there. */
function staysHere(location: string): boolean {
  return ORIGINS.every((origin) =>
    new URL(location, origin).origin === origin &&
    new URL(location, `${origin}/schedules/101`).origin === origin
  );
}

Deno.test("safeRedirectPath: a path with its query is kept", () => {
  assertEquals(safeRedirectPath("/schedules/101?skip=100"), "/schedules/101?skip=100");
});

Deno.test("safeRedirectPath: what is no path becomes the start", () => {
  for (const text of [null, "", "filesets", "https://other.example/", "javascript:alert(1)"]) {
    assertEquals(safeRedirectPath(text), "/", String(text));
  }
});

Deno.test("safeRedirectPath: what leads elsewhere leads here", () => {
  for (const text of LEADING_AWAY) {
    assert(
      staysHere(safeRedirectPath(text)),
      `${JSON.stringify(text)} led to ${safeRedirectPath(text)}`,
    );
  }
});

Deno.test("safeRedirectPath: some of what leads elsewhere would do so as it is", () => {
  // Else the tests with these texts would prove nothing.
  const leading = LEADING_AWAY.filter((text) => {
    const url = URL.parse(text, ORIGINS[0]);
    return url?.origin !== ORIGINS[0];
  });
  assert(leading.length > 8, leading.join());
});

Deno.test("safeRedirectPath: nothing that anybody sends leads to another site", () => {
  const piece = fc.oneof(
    fc.constantFrom("/", "\\", ".", "..", "@", ":", "?", "#", "%", "//", "/\\", "other.example"),
    fc.constantFrom(
      "\t",
      "\n",
      "\r",
      "\0",
      " ",
      "\u00a0",
      "\u2028",
      "\ufeff",
      "\ud800",
      "。",
      "／",
    ),
    fc.constantFrom("%2f", "%5C", "%09", "%0a", "%2e", "%00", "%E3%80%82", "http:", "javascript:"),
    anyText(4),
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
  const leading = fc.constantFrom("", "/", "//", "/\\", "/\t/");
  fc.assert(
    fc.property(leading, text, (start, rest) => {
      const path = safeRedirectPath(start + rest);
      // Visible ASCII, so that it is the same text in a header.
      return /^\/(?![/\\])[\x21-\x7e]*$/.test(path) && staysHere(path);
    }),
    { numRuns: 5000 },
  );
});
