import fc from "fast-check";
import { assert, assertEquals } from "@std/assert";
import {
  knownMethod,
  normalPath,
  operationAt,
  routePattern,
  safeRedirectPath,
} from "../../../server/http/paths.ts";
import { anyText } from "../../any_text.ts";
import { LEADING_AWAY } from "./leading_away.ts";

Deno.test("normalPath: decodes what need not be encoded, and nothing else", () => {
  for (
    const [path, normal] of [
      ["/schedules/101", "/schedules/101"],
      ["/reportschedules/%31%301/history", "/reportschedules/101/history"],
      ["/a%2Db%2e%5F%7E%41%7A%61%5a", "/a-b._~AzaZ"],
      ["/a%2Fb%20c%3F%23%25%40%5B%60%7B", "/a%2Fb%20c%3F%23%25%40%5B%60%7B"],
      ["/%c3%a9", "/%c3%a9"],
      ["", ""],
    ]
  ) {
    assertEquals(normalPath(path), normal);
  }
});

Deno.test("normalPath: what can't be decoded or is not public has no route", () => {
  for (const path of ["/filesets/%ff", "/%", "/.vite/manifest.json", "/%2Evite/manifest.json"]) {
    assertEquals(normalPath(path), "/nowhere", path);
  }
  assertEquals(normalPath("/api/%ff"), "/api/nowhere");
});

Deno.test("operationAt: the interface's two paths, and none beside them", () => {
  const search = { name: "search", methods: ["POST", "OPTIONS"], scheduleId: "" };
  assertEquals(operationAt("/api/files/v1/filesets/search"), search);
  const history = { name: "history", methods: ["GET", "HEAD", "OPTIONS"], scheduleId: "101" };
  assertEquals(operationAt("/api/content/v1/reportschedules/101/history"), history);
  assertEquals(operationAt("/api/files/v1/filesets/search/"), search);
  assertEquals(operationAt("/api/content/v1/reportschedules/101/history/"), history);
  for (
    const path of [
      "/api/files/v1/filesets/search//",
      "/api/files/v1/filesets",
      "/api/content/v1/reportschedules/1/2/history",
      "/api/content/v1/reportschedules//history",
      "/api/openapi.json",
      "/x/api/files/v1/filesets/search",
      "/filesets",
      "",
    ]
  ) {
    assertEquals(operationAt(path), null, path);
  }
});

const root = new URL("../../../", import.meta.url);

Deno.test("routePattern: ids and unknown words are left out", () => {
  assertEquals(routePattern("/filesets/abcdef12-3456-4890-abcd-ef1234567890"), "/filesets/:id");
  assertEquals(routePattern("/schedules/101/runs/5"), "/schedules/:id/runs/:id");
  assertEquals(routePattern("/secret-token-abc123"), "/:id");
  assertEquals(routePattern("/"), "/");
  assertEquals(routePattern("/a".repeat(1000)), "/:id".repeat(8));
});

Deno.test("knownMethod: what nobody knows is left out", () => {
  assertEquals(["GET", "get", "PLANTED"].map(knownMethod), ["GET", "_OTHER", "_OTHER"]);
});

Deno.test("routePattern: knows every word of the routes", async () => {
  const words = new Set<string>();
  async function visit(folder: URL) {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      if (name.startsWith("_")) continue;
      const word = name.replace(/\.tsx?$/, "");
      if (!/[[(]/.test(word) && word !== "index") words.add(word);
      if (isDirectory) await visit(new URL(`${encodeURIComponent(name)}/`, folder));
    }
  }
  await visit(new URL("routes/", root));
  for (const word of words) assertEquals(routePattern(`/${word}`), `/${word}`);
});

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
