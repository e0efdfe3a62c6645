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
  readonly init: RequestInit;
  /** The planted names that the body of its answer may hold. */
  readonly belongs: readonly string[];
}

/** Signs in by a form, as a person does; gives the cookie, which is planted too. */
export async function signIn(
  origin: string,
  { watch }: Planted,
  form: Record<string, string>,
): Promise<string> {
  const init = { method: "POST", body: new URLSearchParams(form), redirect: "manual" } as const;
  const response = await fetch(`${origin}/sign-in`, init);
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
  const [paths, wrong] = [PLANTED_IDS, WRONG_IDS].map(pathsWith);
  await askAll(origin, planted, [
    ...paths.flatMap((path) => otherRequests(path, planted, cookie)),
    // A path without ids is in both.
    ...new Set([...paths, ...wrong]).values().flatMap((path) =>
      pageRequests(path, planted, cookie)
    ),
  ]);
}

/** Asks for everything once as a page does, and for the interface as an island does. */
export async function visit(origin: string, planted: Planted, cookie: string): Promise<void> {
  const requests = pathsWith(PLANTED_IDS).flatMap((path) => pageRequests(path, planted, cookie))
    .filter(({ path, init }) => init.method !== "POST" || path.startsWith("/api/"));
  await askAll(origin, planted, requests);
}

function pathsWith(ids: Ids): readonly string[] {
  return routePaths().map((route) => route.replace(/\[(\w+)\]/g, (_, name) => ids[name] ?? "x"));
}

async function askAll(origin: string, { watch }: Planted, requests: readonly Asked[]) {
  const asked = pooledMap(12, requests, async ({ path, init, belongs }: Asked) => {
    const response = await fetch(origin + path, { redirect: "manual", ...init });
    await take(watch, `${init.method ?? "GET"} ${path}`, response, belongs);
  });
  await Array.fromAsync(asked);
}

const JSON_TYPE = { "content-type": "application/json" };

/** The interface's own answers have the recipients in them; any other has only what it was asked. */
function belongingTo(path: string): readonly string[] {
  return path.endsWith("/history") ? ["words", "address"] : ["words"];
}

function pageRequests(path: string, { words }: Planted, cookie: string): Asked[] {
  const belongs = belongingTo(path);
  const page = { cookie, "sec-fetch-site": "same-origin" };
  const headers = { ...page, "user-agent": words, baggage: `user=${words}` };
  return [
    { path: `${path}?q=${words}`, init: { headers }, belongs },
    { path, init: { method: "POST", body: "{}", headers: { ...page, ...JSON_TYPE } }, belongs },
  ];
}

function otherRequests(path: string, planted: Planted, cookie: string): Asked[] {
  const { token, wrongToken, words } = planted;
  const belongs = belongingTo(path);
  const headers = { cookie, "sec-fetch-site": "same-origin" };
  const forms = [
    { token: wrongToken, next: `/filesets?q=${words}`, add: "901", zone: words },
    { code: wrongToken, zone: "UTC" },
  ].map((fields) => new URLSearchParams(Object.entries(fields)));
  const search = JSON.stringify({ filters: [{ field: words, value: [words] }, { [words]: 1 }] });
  const query = `${path}?text=${words}&status=&id=${words}&next=/${words}&${words}=1`;
  const post = (headers: HeadersInit, body: BodyInit) => ({ method: "POST", headers, body });
  const script = (token: string) => ({ "x-service-developer-token": token, ...JSON_TYPE });
  return [
    { path: `${path}?addresses=shown`, init: { headers }, belongs: [...belongs, "address"] },
    { path, init: { headers: script(token) }, belongs },
    { path: query, init: { headers }, belongs },
    { path: query, init: { headers: script(wrongToken) }, belongs },
    { path: `${path}?limit=0&${words}=${words}`, init: post(script(token), search), belongs },
    ...forms.map((form) => ({ path, init: post(headers, form), belongs })),
    { path, init: post({}, forms[0]), belongs },
    { path, init: { method: "DELETE", headers }, belongs },
  ];
}

/** What belongs into which header: the view that somebody asked for, and the session itself. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  location: ["words"],
  "set-cookie": ["session cookie"],
};

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
  let text = "";
  try {
    const parts = response.body?.pipeThrough(new TextDecoderStream()) ?? [];
    for await (const part of parts) text += part;
  } catch {
    // What came before the end is all there is.
  }
  watch.saw(place, text, belongs);
}
