/** Uses everything that a running Docket has, well and badly, and hands on all that comes out. */
import { assert, assertEquals } from "@std/assert";
import { pooledMap } from "@std/async/pool";
import { signInByForm } from "../app.ts";
import { type Program, withProgram } from "../program.ts";
import { pathOfEachRoute } from "../routes/route_requests.ts";
import { withReceiver } from "../server/observer/receiver.ts";
import type { Planted } from "./planted.ts";

const PLANTED_IDS = {
  scheduleId: "901",
  runId: "2",
  fileSetId: "0002055f-9407-43df-a1f3-acf7f69db329",
  owner: "Finance",
};

const WRONG_IDS = { scheduleId: "no-id", runId: "-1", fileSetId: "none", document: "none" };

/** One request of the sweep. */
type SweptRequest = readonly [path: string, init: RequestInit];

/** Signs in by a form, as a person does; gives the cookie, which is planted too. */
export async function signIn(
  origin: string,
  { watch }: Planted,
  form: Record<string, string>,
): Promise<string> {
  const send = (path: string, init: RequestInit) => fetch(origin + path, init);
  const { response, text, cookie } = await signInByForm(send, form);
  // All sealed cookies begin alike; the seal is at the end.
  watch.plant("session cookie", cookie.slice(-40));
  takeHeaders(watch, "POST /sign-in", response);
  watch.saw("POST /sign-in", text);
  return cookie;
}

/** Asks for everything, as a signed-in person, as a script and as a stranger, well and badly. */
export async function sweep(origin: string, planted: Planted, cookie: string): Promise<void> {
  const [paths, wrong] = [PLANTED_IDS, WRONG_IDS].map(pathOfEachRoute);
  // A path without ids is in both.
  const all = [...new Set([...paths, ...wrong])];
  await requestAll(origin, planted, [
    ...paths.flatMap((path) => otherRequests(path, planted, cookie)),
    ...all.flatMap((path) => pageRequests(path, planted, cookie)),
  ]);
}

/** Asks for everything once as a page does, and for the interface as an island does. */
export async function visit(origin: string, planted: Planted, cookie: string): Promise<void> {
  const requests = pathOfEachRoute(PLANTED_IDS).flatMap((path) =>
    pageRequests(path, planted, cookie)
  )
    .filter(([path, { method }]) => method !== "POST" || path.startsWith("/api/"));
  await requestAll(origin, planted, requests);
}

async function requestAll(origin: string, { watch }: Planted, requests: readonly SweptRequest[]) {
  const answers = pooledMap(12, requests, async ([path, init]: SweptRequest) => {
    const response = await fetch(origin + path, { redirect: "manual", ...init });
    // The interface's own answers have the recipients in them; any other has only what was requested.
    const hasAddresses = /\/history(\?|$)|\?addresses=shown$/.test(path);
    const belongs = hasAddresses ? ["words", "address"] : ["words"];
    await take(watch, `${init.method ?? "GET"} ${path}`, response, belongs);
  });
  await Array.fromAsync(answers);
}

const JSON_TYPE = { "content-type": "application/json" };

const post = (headers: HeadersInit, body: BodyInit) => ({ method: "POST", headers, body });

/** Requests as a page sends them, and as its island does. */
function pageRequests(path: string, { words }: Planted, cookie: string): SweptRequest[] {
  const page = { cookie, "sec-fetch-site": "same-origin" };
  const headers = { ...page, "user-agent": words, baggage: `user=${words}` };
  return [[`${path}?q=${words}`, { headers }], [path, post({ ...page, ...JSON_TYPE }, "{}")]];
}

/** Requests of people, scripts and strangers, well and badly. */
function otherRequests(path: string, planted: Planted, cookie: string): SweptRequest[] {
  const { token, wrongToken, words } = planted;
  const headers = { cookie, "sec-fetch-site": "same-origin" };
  const form = { token: wrongToken, next: `/filesets?q=${words}`, add: "901", zone: words };
  const forms = [form, { code: wrongToken, zone: "UTC" }].map((each) => new URLSearchParams(each));
  const search = JSON.stringify({ filters: [{ field: words, value: [words] }, { [words]: 1 }] });
  const query = `${path}?text=${words}&status=&id=${words}&next=/${words}&${words}=1`;
  const script = (token: string) => ({ "x-service-developer-token": token, ...JSON_TYPE });
  return [
    [`${path}?addresses=shown`, { headers }],
    [path, { headers: script(token) }],
    [query, { headers }],
    [query, { headers: script(wrongToken) }],
    [`${path}?limit=0&${words}=${words}`, post(script(token), search)],
    ...forms.map((form): SweptRequest => [path, post(headers, form)]),
    [path, post({}, forms[0])],
    [path, { method: "DELETE", headers }],
  ];
}

/** What belongs into which header: the view that somebody asked for, and the session itself. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  location: ["words"],
  "set-cookie": ["session cookie"],
};

function takeHeaders(watch: Planted["watch"], place: string, { headers }: Response): void {
  for (const [name, value] of headers) watch.saw(`${place}, ${name}`, value, HEADERS[name]);
}

/** Hands an answer on: each header and the body. A download that is cut off is taken as it is. */
async function take(
  watch: Planted["watch"],
  request: string,
  response: Response,
  belongs: readonly string[],
): Promise<void> {
  const place = `${request} ${response.status}`;
  takeHeaders(watch, place, response);
  let text = "";
  try {
    const parts = response.body?.pipeThrough(new TextDecoderStream()) ?? [];
    for await (const part of parts) text += part;
  } catch {
    // What came before the end is all there is.
  }
  watch.saw(place, text, belongs);
}

/**
 * Runs a test with the program; all that it logged and exported over OTLP is taken at its end. It is
 * exported when the program ends by itself.
 */
export async function withWatchedProgram(
  { watch }: Planted,
  env: Readonly<Record<string, string>>,
  test: (program: Program) => Promise<void>,
): Promise<void> {
  await withReceiver(() => Response.json({}), async (endpoint, received) => {
    const exporting = {
      OTEL_DENO: "true",
      OTEL_SERVICE_NAME: "docket",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    };
    await withProgram({ ...exporting, LOG_LEVEL: "debug", ...env }, async (program) => {
      await test(program);
      await program.end();
      for (const line of program.printed().split("\n")) {
        // The link to sign in is for whoever started it.
        watch.saw("the log", line, line.startsWith("Sign in within") ? ["sign-in code"] : []);
      }
      assert(program.printed().includes("/filesets"), "no request was logged");
      const exported = received.map(({ body }) => body).join("\n");
      watch.saw("the telemetry", exported);
      const spans = received.map(({ body }) => JSON.parse(body))
        .flatMap(({ resourceSpans = [] }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans).flatMap(({ spans }) => spans);
      assert(
        spans.some(({ name }) => name === "GET /schedules/:scheduleId/runs/:runId"),
        "not by its route",
      );
      const keys = spans.flatMap(({ attributes }) => attributes).map(({ key }) => key);
      assertEquals([...new Set(keys)].sort(), ATTRIBUTES);
    });
  });
}

/** What spans have, and nothing else. */
const ATTRIBUTES = [
  ...["docket.request_id", "error.type", "http.request.method", "http.response.status_code"],
  ...["http.route", "url.scheme"],
];
