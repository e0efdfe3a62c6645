import { assert, assertEquals, assertRejects } from "@std/assert";
import { OutletError, post } from "../../../../server/observer/outlets/outlet.ts";

const URL = "http://receiver.example";

Deno.test("post: a status that is no success is reported, with the time to wait", async () => {
  const cases = [
    [300, "a redirect: set the address it leads to", 0],
    [399, "a redirect: set the address it leads to", 0],
    [400, "status 400", 30_000],
    [503, "status 503", 30_000],
  ] as const;
  for (const [status, what, wait] of cases) {
    const send = (_: string, { redirect }: RequestInit) => {
      assertEquals(redirect, "manual");
      return Promise.resolve(new Response("no", { status, headers: { "retry-after": "30" } }));
    };
    const error = await assertRejects(() => post(URL, {}, { send }), OutletError);
    assertEquals([error.message, error.retryAfterMs], [`The receiver answered with ${what}`, wait]);
  }
});

Deno.test("post: gives up who never answers, takes an endless answer, and says no address", async () => {
  const onAbort = ({ signal }: RequestInit, end: (reason: unknown) => void) =>
    signal!.addEventListener("abort", () => end(signal!.reason));
  const silent = (_: string, init: RequestInit) =>
    new Promise<Response>((_, reject) => onAbort(init, reject));
  const words = "The receiver did not answer within 0.005 s";
  const timeoutMs = 5;
  await assertRejects(() => post(URL, {}, { send: silent, timeoutMs }), OutletError, words);
  const endless = (_: string, init: RequestInit) => {
    const start = (body: ReadableStreamDefaultController) =>
      onAbort(init, (reason) => body.error(reason));
    return Promise.resolve(new Response(new ReadableStream({ start })));
  };
  await post(URL, {}, { send: endless, timeoutMs });
  const away = () => post("http://127.0.0.1:1/?key=secret", {});
  const { message, stack }: OutletError = await assertRejects(away, OutletError);
  assertEquals(message, "The receiver could not be reached: port not allowed");
  assert(!stack!.includes("secret"));
});
