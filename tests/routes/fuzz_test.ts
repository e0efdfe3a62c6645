/** Every route, with requests that nobody should send. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { anyText } from "../any_text.ts";
import { HEADER, ORIGIN, sessionCookie, TOKEN, withApp } from "../app.ts";
import { routePaths } from "../route_paths.ts";

const junk = fc.oneof(
  anyText(30),
  fc.constantFrom(
    ...["", "\0", "\ud800", "\u202e", "__proto__", "constructor", "NaN", "1e309", "-0", "-1", "x"],
    ...["9".repeat(400), "../../etc/passwd", "$'$`$&", "</script><script>alert(1)</script>"],
    ...["'; DROP TABLE file_sets; --", "\r\nset-cookie: a=b", "x".repeat(5000)],
  ),
);

/** Values of what routes read from queries and forms, by name; beside them there is junk. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  limit: ["1", "1000", "0", "9007199254740993"],
  offset: ["0", "4999", "9007199254740991"],
  skip: ["0", "399"],
  load: ["10000", "1"],
  q: ["pay", "owner:Finance -files:0 updated:last-month sort:-name", '"', "took:>1e308"],
  sort: ["name", "-updated,id"],
  columns: ["id,name", "recipients.emailAddress"],
  format: ["csv", "ndjson", "json", "toString"],
  open: ["0002055f-9407-43df-a1f3-acf7f69db329"],
  "new-form": ["1"],
  "new-field": ["name", "created"],
  "new-operator": ["LIKE", "!EQUALS"],
  "new-value": ["2025-01-01", "0000-00-00", "+275760-09-13"],
  schedules: ["101,102", "a,b", "1,".repeat(200)],
  on: ["2026-01-01", "9999-99-99"],
  addresses: ["shown"],
  with: ["102899999"],
  group: ["new"],
  next: ["/filesets", "//evil.example", "/\\evil.example", "javascript:alert(1)"],
  status: ["success"],
  meaning: ["good", "great"],
  zone: ["UTC", "Nowhere/X"],
  action: ["save", "acknowledge"],
  token: ["wrong"],
};

const field = fc.constantFrom(...Object.keys(FIELDS)).chain((name) =>
  fc.tuple(
    fc.constant(name),
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...FIELDS[name]) }, junk),
  )
);
const pairs = fc.array(fc.oneof({ weight: 8, arbitrary: field }, fc.tuple(junk, junk)), {
  maxLength: 4,
}).map((list) =>
  String(new URLSearchParams(list.map((pair) => pair.map((one) => one.toWellFormed()))))
);

const query = fc.oneof(
  { weight: 8, arbitrary: pairs },
  fc.constantFrom("%", "&&&=", "a=%zz", "=".repeat(999), "%00=%00", "q=a&".repeat(400)),
);

/** Ids of the sample data, by the name of the parameter that takes them. */
const IDS: Readonly<Record<string, string>> = {
  "[scheduleId]": "102",
  "[runId]": "102900000",
  "[fileSetId]": "0002055f-9407-43df-a1f3-acf7f69db329",
  "[document]": "openapi.json",
};
const WRONG = ["0", "-1", "1e3", "9007199254740993", "%", "%00", "%ff", "%2e%2e", "%2f", ".."];
const ENDS = ["/", "//", "/..", "/%2e%2e/", ".json", "%c0%af", "\\", ";a=b"];

const path = fc.constantFrom(...routePaths()).chain((route) => {
  const names = route.match(/\[[^\]]+\]/g) ?? [];
  const segment = (name: string) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constant(IDS[name] ?? "1") },
      fc.constantFrom(...WRONG),
      junk.map((text) => encodeURIComponent(text.toWellFormed())),
    );
  const end = fc.oneof({ weight: 12, arbitrary: fc.constant("") }, fc.constantFrom(...ENDS));
  return fc.tuple(fc.tuple(...names.map(segment)), end).map(([segments, end]) =>
    names.reduce((built, name, at) => built.replace(name, () => segments[at]), route) + end
  );
});

const JSON_TEXTS = [
  "[".repeat(100_000),
  '{"__proto__":{}}',
  '{"filters":null}',
  "\ufeff{}",
  "{}\0",
];
const FORM = "application/x-www-form-urlencoded";

const body = fc.oneof(
  fc.oneof(fc.json(), fc.constantFrom(...JSON_TEXTS)).map((text) => ["application/json", text]),
  pairs.map((text) => [FORM, text]),
  fc.constantFrom(
    ["multipart/form-data; boundary=x", "--x\r\n\r\n--x--\r\n"],
    [FORM, `add=${"1,".repeat(1_000_000)}`],
    ["text/html", "<p>"],
  ),
);

const headers = fc.array(
  fc.constantFrom(
    ["content-length", "-1"],
    ["content-encoding", "gzip"],
    ["accept", "*/*;q=x"],
    ["range", "bytes=9-1"],
    ["x-request-id", "a b"],
    ["sec-fetch-site", "cross-site"],
    ["origin", "https://evil.example"],
    ["x-forwarded-for", "::1, x"],
    ["cookie", "docket_session_8000=Fe26.2**a*b*c*d**e*f"],
    ["cookie", "docket_preferences=zone%3DNowhere%2FX"],
    ["cookie", ";".repeat(60_000)],
    ["x-service-developer-token", "a b"],
  ),
  { maxLength: 3 },
);

const anyRequest = fc.record({
  sender: fc.constantFrom("signed in", "signed in", "with a token", "nobody"),
  method: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom("GET", "POST") },
    fc.constantFrom("HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "FUZZ"),
  ),
  target: fc.tuple(path, query).map(([path, query]) => `${path}?${query}`),
  ...{ headers, body, isRead: fc.boolean() },
});

Deno.test("[e2e] every route: no request breaks Docket", () =>
  withApp({}, async (app) => {
    const cookie = await sessionCookie(app, ORIGIN);
    const property = fc.asyncProperty(anyRequest, async ({ sender, method, target, ...rest }) => {
      const [type, content] = rest.body;
      const all = new Headers({ "content-type": type });
      for (const [name, value] of rest.headers) all.set(name, value);
      if (sender === "signed in") {
        all.set("cookie", [cookie, all.get("cookie")].filter(Boolean).join("; "));
      }
      if (sender === "with a token") all.set(HEADER, TOKEN);
      const hasBody = method !== "GET" && method !== "HEAD";
      const init = { method, headers: all, ...hasBody && { body: content } };
      const response = await app.fetch(new Request(ORIGIN + target, init));
      const isRead = rest.isRead || response.status >= 500;
      const text = isRead ? await response.text() : "";
      // The reader goes away.
      if (!isRead) await response.body?.cancel();
      assert(response.status < 500, `${response.status} ${text}`);
      for (const name of ["content-security-policy", "x-content-type-options", "x-request-id"]) {
        assert(response.headers.get(name), `${name} is missing`);
      }
      assertEquals(/\n\s+at \S+.*:\d+:\d+/.test(text), false, text);
    });
    await fc.assert(property, { numRuns: 400 });
  }));
