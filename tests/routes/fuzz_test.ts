/**
 * Every route, with requests that nobody should send. `FUZZ_RUNS` asks for another number of
 * requests, `FUZZ_SEED` for those of a run that failed, whose seed the failure prints.
 */
import v8 from "node:v8";
import vm from "node:vm";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type App, TOKEN, withApp, withServer } from "../app.ts";
import { anyRequest, type FuzzRequest } from "./fuzz/requests.ts";

const ORIGIN = "http://localhost:8000";

const RUNS = Number(Deno.env.get("FUZZ_RUNS") ?? 400);
const SEED = Deno.env.get("FUZZ_SEED");

/** How long an answer may take with its whole body, in milliseconds. */
const DEADLINE_MS = 10_000;

/** How far the memory in use may rise after a third of a run, in bytes. */
const MOST_GROWTH = 32 * 1024 * 1024;

const HEADERS = [
  "content-security-policy",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "referrer-policy",
  "x-content-type-options",
  "x-request-id",
];

Deno.test("[e2e] every route: no request breaks the embedded service", () => withApp({}, fuzz));

Deno.test("[e2e] every route: no request breaks Docket before an upstream", () =>
  withServer({}, ({ origin }) => withApp({ SERVICE_BASE_URL: origin }, fuzz)));

async function fuzz({ fetch, services }: App): Promise<void> {
  const cookies = new Headers();
  const session = { token: TOKEN, service: services.identity };
  await services.sessions.write(cookies, session, ORIGIN);
  const cookie = cookies.getSetCookie()[0].split(";")[0];
  const aThird = Math.floor(RUNS / 3);
  let count = 0;
  let early = 0;
  await fc.assert(
    fc.asyncProperty(anyRequest, async (asked) => {
      const response = await within(DEADLINE_MS, fetch(requestOf(asked, cookie)));
      const text = await within(DEADLINE_MS, textOf(response, asked.reads));
      assert(response.status < 500, `${response.status} ${text}`);
      for (const name of HEADERS) assert(response.headers.get(name), `${name} is missing`);
      assertEquals(/\n\s+at \S+.*:\d+:\d+/.test(text), false, text);
      if (++count === aThird) early = memoryInUse();
    }),
    { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: Number(SEED) }) },
  );
  const growth = memoryInUse() - early;
  assert(growth < MOST_GROWTH, `The memory in use grew by ${growth} bytes`);
}

/** The memory in use, in bytes, without what only waits to be collected. */
function memoryInUse(): number {
  v8.setFlagsFromString("--expose-gc");
  vm.runInNewContext("gc")();
  return Deno.memoryUsage().heapUsed;
}

function requestOf({ sender, method, target, headers, body }: FuzzRequest, cookie: string) {
  const all = new Headers(headers);
  if (sender === "signed in") {
    all.set("cookie", [cookie, headers.cookie].filter(Boolean).join("; "));
  }
  if (sender === "with a token") all.set("x-service-developer-token", TOKEN);
  return new Request(ORIGIN + target, { method, headers: all, body });
}

/** The body, or nothing of it where the reader goes away. */
async function textOf(response: Response, reads: boolean): Promise<string> {
  if (reads || response.status >= 500) return await response.text();
  await response.body?.cancel();
  return "";
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`It took more than ${ms} ms`)), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
