/** Malformed requests for the fuzz tests, as plain data: a failure prints one that can be read. */
import fc from "fast-check";
import { routePaths } from "../../route_paths.ts";
import { anyBody } from "./bodies.ts";
import { anyQuery } from "./parameters.ts";
import { junk } from "./texts.ts";

/** Who sends a request: a person by cookie, a script by token, or nobody that is known. */
export type Sender = "signed in" | "with a token" | "nobody";

/** A request, before it has the cookie or the token of this run. */
export interface FuzzRequest {
  readonly sender: Sender;
  readonly method: string;
  /** Path and query, as they would stand in the first line of the request. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  /** Whether the answer is read to its end; otherwise the reader goes away. */
  readonly reads: boolean;
}

/** Ids of the sample data, by the name of the parameter that takes them. */
const IDS: Readonly<Record<string, readonly string[]>> = {
  "[scheduleId]": ["101", "102", "107", "112", "999"],
  "[runId]": ["102900000", "102899999", "1"],
  "[fileSetId]": ["0002055f-9407-43df-a1f3-acf7f69db329"],
  "[document]": ["openapi.json"],
};

function segmentFor(name: string): fc.Arbitrary<string> {
  const wrong = ["0", "-1", "1e3", "9007199254740993", "%", "%00", "%ff", "%2e%2e", "%2f", ".."];
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...IDS[name] ?? wrong) },
    { weight: 1, arbitrary: fc.constantFrom(...wrong) },
    { weight: 1, arbitrary: junk.map((text) => encodeURIComponent(text.toWellFormed())) },
  );
}

/** A route with something in place of its parameters. */
function filledIn(route: string): fc.Arbitrary<string> {
  const names = route.match(/\[[^\]]+\]/g) ?? [];
  return fc.tuple(...names.map(segmentFor)).map((segments) =>
    names.reduce((built, name, at) => built.replace(name, () => segments[at]), route)
  );
}

const ENDS = ["/", "//", "/..", "/%2e%2e/", "/index", ".json", "%", "%c0%af", "\\", ";a=b"];

const routed = fc.constantFrom(...routePaths()).chain((route) =>
  fc.record({
    path: filledIn(route),
    end: fc.oneof({ weight: 12, arbitrary: fc.constant("") }, fc.constantFrom(...ENDS)),
    query: anyQuery(route),
    body: anyBody(route),
  })
).map(({ path, end, query, body }) => ({ target: path + end + (query && `?${query}`), body }));

const elsewhere = fc.constantFrom(
  "/assets/",
  "/assets/none.js",
  "/icon.svg",
  "/.vite/manifest.json",
  "/api/",
  "//evil.example/filesets",
  "/filesets/../sign-in",
  `/${"a/".repeat(2000)}`,
  `/filesets/${"x".repeat(10_000)}`,
  `/filesets?${"q=a:b:c&".repeat(1000)}`,
  `/filesets?${"q=owner:1&".repeat(300)}`,
  `/filesets?${"sort=name&".repeat(500)}`,
).map((target) => ({ target, body: null }));

const headerValue = junk.map((text) => text.replace(/[^\x20-\x7e]/g, "?").trim());

function header(name: string, ...values: string[]): fc.Arbitrary<readonly [string, string]> {
  return fc.oneof(fc.constantFrom(...values), headerValue).map((value) => [name, value] as const);
}

const headers = fc.array(
  fc.oneof(
    header(
      "content-type",
      "application/json",
      "application/json; charset=utf-16",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "text/html",
      ";;;",
    ),
    header("content-length", "0", "-1", "99999999999", "1e9", "x"),
    header("content-encoding", "gzip", "br", "identity"),
    header("accept", "text/html", "application/json", "*/*;q=x"),
    header("accept-encoding", "gzip", "br, gzip;q=0", "gzip;q=a,,;", "*"),
    header("accept-language", "de", "*;q=0"),
    header("range", "bytes=0-1", "bytes=-1", "bytes=9-1", "bytes=0-1,2-3,x"),
    header("if-none-match", "*", "W/", '"', 'W/"a", "b"'),
    header("if-modified-since", "Sat, 01 Jan 2000 00:00:00 GMT", "yesterday"),
    header("sec-fetch-site", "same-origin", "cross-site", "none", "same-site"),
    header("sec-fetch-mode", "navigate", "cors", "no-cors"),
    header("origin", "null", "http://localhost:8000", "https://evil.example"),
    header("x-request-id", "proxy-1", "a b"),
    header("x-forwarded-for", "1.2.3.4", "::1, x"),
    header("x-http-method-override", "DELETE"),
    header("host", "evil.example", "localhost:x"),
    header("transfer-encoding", "chunked"),
    header(
      "cookie",
      "docket_session_8000=x",
      "docket_session_8000=Fe26.2**a*b*c*d**e*f",
      "docket_preferences=zone%3DNowhere%2FX%26watch%3D1.x.-2%26statuses%3D%25%3Agood",
      "__proto__=1; constructor=2; a",
      ";;;=;=a;",
      ";".repeat(60_000),
      "docket_preferences=a;".repeat(3000),
      "a=%; b=%ff",
    ),
    header("x-service-developer-token", "wrong", "a b", ","),
  ),
  { maxLength: 4 },
).map((pairs) => Object.fromEntries(pairs));

const METHODS = ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "FUZZ"];

/** Any request: good ones, nearly good ones, and nonsense. */
export const anyRequest: fc.Arbitrary<FuzzRequest> = fc.record({
  sender: fc.constantFrom<Sender>("signed in", "signed in", "with a token", "nobody"),
  method: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom("GET", "POST") },
    { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
  ),
  asked: fc.oneof({ weight: 20, arbitrary: routed }, { weight: 1, arbitrary: elsewhere }),
  headers: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, headers),
  reads: fc.boolean(),
}).map(({ asked: { target, body }, headers, method, ...rest }) => ({
  ...rest,
  method,
  target,
  headers: { ...(body === null ? {} : { "content-type": body.type }), ...headers },
  body: body === null || method === "GET" || method === "HEAD" ? null : body.content,
}));
