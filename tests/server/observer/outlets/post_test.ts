import { assert, assertEquals, assertRejects } from "@std/assert";
import { OutletError, post } from "../../../../server/observer/outlets/outlet.ts";

const URL = "http://receiver.example";

Deno.test("post: a status that is no success is reported, with the time to wait", async () => {
  const cases = [
    [300, "a redirect: set the address it leads to"],
    [399, "a redirect"],
    [400, "status 400"],
    [503, "status 503"],
  ] as const;
  for (const [status, what] of cases) {
    const answer = new Response("no", { status, headers: { "retry-after": "30" } });
    const send = (_: string, { redirect }: RequestInit) => {
      assertEquals(redirect, "manual");
      return Promise.resolve(answer);
    };
    const words = `The receiver answered with ${what}`;
    const { retryAfterMs }: OutletError = await assertRejects(
      () => post(URL, {}, { send }),
      OutletError,
      words,
    );
    assertEquals(retryAfterMs, status < 400 ? 0 : 30_000);
  }
});

Deno.test("post: one that never answers is given up; one whose answer never ends has accepted", async () => {
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
});

Deno.test("post: one that is away is reported without its address", async () => {
  const away = () => post("http://127.0.0.1:1/?key=secret", {});
  const { message, stack }: OutletError = await assertRejects(away, OutletError);
  assertEquals(message, "The receiver could not be reached: port not allowed");
  assert(!stack!.includes("secret"));
});
