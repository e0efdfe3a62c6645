/** Uses everything that a running Docket has, well and badly, and hands on all that it answers. */
import { pooledMap } from "@std/async/pool";
import { routePaths } from "../route_paths.ts";
import type { Planted } from "./planted.ts";

/** Ids in paths, by their names. */
type Ids = Readonly<Record<string, string>>;

const PLANTED_IDS: Ids = {
  scheduleId: "901",
  runId: "2",
  fileSetId: "0002055f-9407-43df-a1f3-acf7f69db329",
  document: "openapi.json",
  owner: "Finance",
};

const WRONG_IDS: Ids = { scheduleId: "no-id", runId: "-1", fileSetId: "none", document: "none" };

/** One request of the sweep. */
interface Asked {
  readonly path: string;
  readonly init?: RequestInit;
  /** The planted names that the body of its answer may hold. */
  readonly belongs?: readonly string[];
}

/** Signs in with the token as a person does, and gives the cookie, which is planted too. */
export async function signIn(origin: string, planted: Planted): Promise<string> {
  const body = new URLSearchParams({ token: planted.token });
  return await redeem(origin, planted, body);
}

/** Signs in by a form; gives the cookie. */
export async function redeem(
  origin: string,
  { watch }: Planted,
  body: URLSearchParams,
): Promise<string> {
  const response = await fetch(`${origin}/sign-in`, { method: "POST", body, redirect: "manual" });
  const [setCookie = ""] = response.headers.getSetCookie();
  if (response.status !== 303) throw new Error(`Signing in failed: ${await response.text()}`);
  const cookie = setCookie.split(";")[0];
  // All sealed cookies begin alike; the seal is at the end.
  watch.plant("session cookie", cookie.slice(-40));
  await take(watch, "POST /sign-in", response, []);
  return cookie;
}

/** Asks for everything, as a signed-in person, as a script and as a stranger, well and badly. */
export async function sweep(origin: string, planted: Planted, cookie: string): Promise<void> {
  // A path without ids is in both.
  const paths = new Set([...pathsWith(PLANTED_IDS), ...pathsWith(WRONG_IDS)]);
  const requests = [...paths].flatMap((path) => [
    ...usualRequests(path, planted, cookie),
    ...oddRequests(path, planted, cookie),
  ]);
  await askAll(origin, planted, requests);
}

/** Asks for everything as it is meant to be asked for. */
export async function visit(origin: string, planted: Planted, cookie: string): Promise<void> {
  const paths = pathsWith(PLANTED_IDS);
  await askAll(origin, planted, paths.flatMap((path) => usualRequests(path, planted, cookie)));
}

function pathsWith(ids: Ids): readonly string[] {
  return routePaths().map((route) => route.replace(/\[(\w+)\]/g, (_, name) => ids[name] ?? "x"));
}

async function askAll(
  origin: string,
  { watch }: Planted,
  requests: readonly Asked[],
): Promise<void> {
  const asked = pooledMap(12, requests, async ({ path, init, belongs = ["words"] }: Asked) => {
    const response = await fetch(origin + path, { redirect: "manual", ...init });
    await take(watch, `${init?.method ?? "GET"} ${path}`, response, belongs);
  });
  await Array.fromAsync(asked);
}

/** The interface's own answers have the recipients in them; any other has only what it was asked. */
function belongingTo(path: string): readonly string[] {
  return path.endsWith("/history") ? ["words", "address"] : ["words"];
}

function tokenHeader(token: string) {
  return { "x-service-developer-token": token };
}

function ownPage(cookie: string) {
  return { cookie, "sec-fetch-site": "same-origin" };
}

const JSON_TYPE = { "content-type": "application/json" };

function usualRequests(path: string, { token, words }: Planted, cookie: string): Asked[] {
  const belongs = belongingTo(path);
  const headers = ownPage(cookie);
  const shown = [...belongs, "address"];
  const search = { method: "POST", body: "{}" };
  const query = `?q=${words}&format=csv`;
  return [
    {
      path,
      init: { headers: { ...headers, "user-agent": words, baggage: `user=${words}` } },
      belongs,
    },
    { path: path + query, init: { headers }, belongs },
    { path: `${path}?addresses=shown`, init: { headers }, belongs: shown },
    { path, init: { headers: tokenHeader(token) }, belongs },
    { path, init: { ...search, headers: { ...headers, ...JSON_TYPE } }, belongs },
  ];
}

function oddRequests(path: string, planted: Planted, cookie: string): Asked[] {
  const { token, wrongToken, words } = planted;
  const belongs = belongingTo(path);
  const headers = ownPage(cookie);
  const next = `/filesets?q=${words}`;
  const forms = [
    { token: wrongToken, next, add: "901", zone: words },
    { code: wrongToken, next, zone: "UTC" },
    { token: `${wrongToken} ${wrongToken}`, next },
  ].map((fields) => new URLSearchParams(Object.entries(fields)));
  const search = JSON.stringify({ filters: [{ field: words, value: [words] }, { [words]: 1 }] });
  const query = `?text=${words}&status=&id=${words}&next=/${words}&${words}=1`;
  const post = (headers: HeadersInit, body: BodyInit) => ({ method: "POST", headers, body });
  return [
    { path: `${path}?q=${words}`, init: { headers }, belongs },
    { path: path + query, init: { headers }, belongs },
    { path: path + query },
    { path: path + query, init: { headers: tokenHeader(wrongToken) }, belongs },
    ...forms.flatMap((form) => [
      { path, init: post(headers, form) },
      { path, init: post({}, form) },
    ]),
    {
      path: `${path}?limit=0&${words}=${words}`,
      init: post({ ...tokenHeader(token), ...JSON_TYPE }, search),
    },
    { path, init: post({ ...headers, ...JSON_TYPE }, `{"${words}`) },
    { path, init: { method: "DELETE", headers } },
  ];
}

/** Hands an answer on: each header and the body. A download that is cut off is taken as it is. */
async function take(
  watch: Planted["watch"],
  asked: string,
  response: Response,
  belongs: readonly string[],
): Promise<void> {
  const place = `${asked} ${response.status}`;
  for (const [name, value] of response.headers) {
    watch.saw(`${place}, ${name}`, value, HEADERS[name]);
  }
  watch.saw(place, await bodyOf(response), belongs);
}

/** What belongs into which header: the view that somebody asked for, and the session itself. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  location: ["words"],
  "set-cookie": ["session cookie"],
};

async function bodyOf({ body }: Response): Promise<string> {
  let text = "";
  try {
    for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) text += part;
  } catch {
    // What came before the end is all there is.
  }
  return text;
}
