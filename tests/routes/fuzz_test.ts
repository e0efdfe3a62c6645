/**
 * Every route, with requests that nobody should send. They are the same each time;
 * `FUZZ_RUNS` asks for another number of them, and `FUZZ_SEED` for others.
 */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type App, ORIGIN, sessionCookie, TOKEN, withApp, withServer } from "../app.ts";
import { anyRequest, type FuzzRequest } from "./fuzz/requests.ts";

const RUNS = Number(Deno.env.get("FUZZ_RUNS") ?? 400);
const SEED = Number(Deno.env.get("FUZZ_SEED") ?? 1);

/** What took longer than this, in milliseconds, would never come. */
const DEADLINE_MS = 120_000;

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

async function fuzz(app: App): Promise<void> {
  const cookie = await sessionCookie(app, ORIGIN);
  await fc.assert(
    fc.asyncProperty(anyRequest, async (asked) => {
      const response = await within(DEADLINE_MS, app.fetch(requestOf(asked, cookie)));
      const text = await within(DEADLINE_MS, textOf(response, asked.reads));
      assert(response.status < 500, `${response.status} ${text}`);
      for (const name of HEADERS) assert(response.headers.get(name), `${name} is missing`);
      assertEquals(/\n\s+at \S+.*:\d+:\d+/.test(text), false, text);
    }),
    { numRuns: RUNS, seed: SEED },
  );
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
