/** The built app for one test: in this process, with a data folder of its own. */
import { assertEquals } from "@std/assert";
import { openServices, type Services } from "../server/program/services.ts";
import { readSettings } from "../server/config/settings.ts";
import { createJudging, type Judging } from "../server/observer/judging/judging.ts";
import { sql } from "../server/store/database/sql.ts";
import { write } from "../server/store/records/transaction_step.ts";
import { HOUR, MINUTE } from "../lib/time_units.ts";
import { watchSample } from "./browser/sample_watches.ts";
import { cached } from "./cached.ts";
import { textOf } from "./components/rendered.ts";
import { clockFromStart, START } from "./fixed_clock.ts";
import { serveLocally } from "./processes.ts";
import { placeSample } from "./sample_database.ts";
import { withFolder } from "./with_folder.ts";

/** The developer token of the embedded service in tests. */
export const TOKEN = "token-of-the-tests";

/** Where requests to an app in this process are sent. */
export const ORIGIN = "http://localhost:8000";

/** The header of the token, and the interface's two paths. */
export const HEADER = "X-SERVICE-Developer-Token";
export const SEARCH = "/api/files/v1/filesets/search";
export const HISTORY = "/api/content/v1/reportschedules/101/history";

/** A search as a script sends it. */
export function searchRequest(origin: string, query = "", body: BodyInit = "{}"): Request {
  const headers = { [HEADER]: TOKEN, "content-type": "application/json" };
  return new Request(origin + SEARCH + query, { method: "POST", headers, body });
}

/** Signs in by the form, as a browser does; gives the answer, and the cookie in it. */
export async function signInByForm(
  send: (path: string, init: RequestInit) => Promise<Response>,
  fields: Record<string, string> = { token: TOKEN },
  headers?: HeadersInit,
) {
  const body = new URLSearchParams(fields);
  const response = await send("/sign-in", { method: "POST", body, headers, redirect: "manual" });
  const text = await response.text();
  assertEquals(response.status, 303, text.slice(0, 400));
  const [setCookie] = response.headers.getSetCookie();
  return { response, text, cookie: setCookie.split(";")[0] };
}

const BUILT = new URL("../.output/server/index.mjs", import.meta.url).href;

/** The built app, answering in this process. */
export interface App {
  readonly services: Services;
  readonly fetch: (request: Request) => Promise<Response>;
}

/** The built app, listening on a port of its own. */
export interface RunningServer extends App {
  readonly origin: string;
  /** A developer token that the service accepts. */
  readonly token: string;
}

/** The cookie of a person who is signed in with that token, as browsers send it to that origin. */
export async function sessionCookie(
  { services }: Pick<App, "services">,
  origin: string,
  token = TOKEN,
): Promise<string> {
  const headers = new Headers();
  await services.sessions.write(headers, { token, service: services.identity }, origin);
  return headers.getSetCookie()[0].split(";")[0];
}

/** What a page answered; `to` is where a 303 leads, and `cookies` are those it sets. */
export type Answer = Awaited<ReturnType<typeof answerOf>>;

async function answerOf(response: Response) {
  const { status, headers } = response;
  const cookies = headers.getSetCookie().map((text) => text.split(";")[0]).join("; ");
  const to = status === 303 ? headers.get("location") : null;
  return { status, headers, cookies, text: await response.text(), to };
}

/** The head of an answer, whose body is not read. */
export async function head(answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  await response.body?.cancel();
  return response;
}

/** Asserts what an answer's status is, and that these words are in it, without printing a page. */
export function assertAnswer({ status, text }: Answer, expected: number, ...words: string[]): void {
  const missing = words.filter((each) => !text.includes(each));
  assertEquals([status, missing], [expected, []]);
}

/** What a signed-in person does. */
export type Person = Awaited<ReturnType<typeof signIn>>;

/** A person who is signed in, with the app and its records, which few apps lack. */
export async function signIn(app: App, token = TOKEN) {
  const session = await sessionCookie(app, ORIGIN, token);
  /** Sends any request, with more cookies if the test has some. */
  const send = (path: string, init: RequestInit = {}, cookies = "") => {
    const request = new Request(ORIGIN + path, init);
    request.headers.set("cookie", [session, cookies].filter(Boolean).join("; "));
    return app.fetch(request);
  };
  return {
    app,
    records: app.services.records!,
    fetch: send,
    get: async (path: string, cookies?: string) => answerOf(await send(path, {}, cookies)),
    /** What there is to read on a page, in one line. */
    read: async (path: string) => textOf(await (await send(path)).text()),
    /** Sends a form, as a page of the same origin does. */
    async post(path: string, form: Record<string, string> | string[][], cookies?: string) {
      const body = new URLSearchParams(form);
      const init = { method: "POST", headers: { origin: ORIGIN }, body };
      return answerOf(await send(path, init, cookies));
    },
    /** Sends a file, with the other fields of its form. */
    async upload(path: string, file: string, fields: Readonly<Record<string, string>> = {}) {
      const body = new FormData();
      body.set("file", new File([file], "rows.csv"));
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      const headers = { origin: ORIGIN, "sec-fetch-site": "same-origin" };
      return await answerOf(await send(path, { method: "POST", headers, body }));
    },
  };
}

/** Runs a test with the app and a person who is signed in. */
export function withPerson(
  test: (person: Person) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
  standIns: StandIns = {},
): Promise<void> {
  return withApp(env, async (app) => await test(await signIn(app)), standIns);
}

/**
 * What judges for all apps of this process: to start a worker takes longer than most tests. It has long
 * to do so, because workers come last on a busy machine.
 */
const shared = createJudging({ max: 1, deadlineMs: 120_000, pollDeadlineMs: 120_000 });
const judging: Judging = { ...shared, close() {} };

// Started before the first test, so that no test is blamed for leaving it.
Deno.test.beforeAll(async () =>
  void await shared.judgeHistory({ runs: [] }, { now: 0, statuses: {} })
);
Deno.test.afterAll(() => shared.close());

/** What a test puts in place of the app's own parts, and what it begins with. */
type StandIns = Parameters<typeof openServices>[1] & {
  /** Whether every schedule of the sample is watched, and was polled once. */
  readonly isWatched?: boolean;
};

/** Runs a test with the app, at a fixed time. `env` adds to the settings of a quiet test. */
export async function withApp(
  env: Readonly<Record<string, string>>,
  test: (app: App) => Promise<void>,
  { isWatched, ...standIns }: StandIns = {},
): Promise<void> {
  await withFolder(async (dataDir) => {
    const settings = settingsOf(dataDir, env);
    if (settings.dataDir === dataDir && !settings.serviceBaseUrl && !settings.databaseUrl) {
      await (isWatched ? placeWatched(dataDir) : placeSample(dataDir, START));
    }
    // A while after the poll.
    using _clock = clockFromStart(isWatched ? START + 2 * MINUTE : START);
    const services = openServices(settings, { judging, ...standIns });
    let answer: App["fetch"] | null = null;
    try {
      await test({
        services,
        async fetch(request) {
          // Its modules are many, and some tests only use the services.
          answer ??= (await import(BUILT)).createFetch(services) as App["fetch"];
          return await answer(request);
        },
      });
    } finally {
      await services.close();
    }
  });
}

function settingsOf(dataDir: string, env: Readonly<Record<string, string>>) {
  return {
    ...readSettings({
      DATA_DIR: dataDir,
      SESSION_KEY: "session-key-of-the-tests-".repeat(2),
      SERVICE_TOKEN: TOKEN,
      LOG_LEVEL: "error",
      ...env,
    }),
    inThreads: false,
  };
}

let watched: Promise<string> | undefined;

/** Puts the sample with its schedules watched into a data folder: to poll them takes seconds. */
async function placeWatched(dataDir: string): Promise<void> {
  watched ??= cached("watched", async (path) => {
    await Deno.mkdir(path);
    await placeSample(path, START);
    using _clock = clockFromStart();
    const services = openServices(settingsOf(path, {}), { judging });
    await watchSample(services);
    // No page says that a poll is due, however slow the test is.
    await services.records!.commit([write(sql`UPDATE known_schedules SET due = due + ${HOUR}`)]);
    await services.close();
  });
  const folder = await watched;
  for await (const { name } of Deno.readDir(folder)) {
    await Deno.copyFile(`${folder}/${name}`, `${dataDir}/${name}`);
  }
}

/** Runs a test with the app behind a real port. */
export async function withServer(
  env: Readonly<Record<string, string>>,
  test: (server: RunningServer) => Promise<void>,
  standIns: StandIns = {},
): Promise<void> {
  await withApp(env, async (app) => {
    await using server = serveLocally(app.fetch);
    await test({ ...app, origin: server.origin, token: TOKEN });
  }, standIns);
}
