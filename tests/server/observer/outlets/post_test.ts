import { assertEquals, assertRejects } from "@std/assert";
import { OutletError, post } from "../../../../server/observer/outlets/outlet.ts";
import { withReceiver } from "../receiver.ts";

Deno.test("post: a status that is no success is reported, with the time to wait", () =>
  withReceiver(
    () => new Response("no", { status: 503, headers: { "retry-after": "30" } }),
    async (origin) => {
      const error: OutletError = await assertRejects(
        () => post(`${origin}/?key=secret`, { method: "POST" }),
        OutletError,
      );
      assertEquals(error.message, "The receiver answered with status 503");
      assertEquals(error.retryAfterMs, 30_000);
    },
  ));

Deno.test("post: a redirect is not followed, and called one; other statuses are named", async () => {
  for (
    const [status, what] of [[300, "a redirect"], [399, "a redirect"], [400, "status 400"]] as const
  ) {
    const send = () => Promise.resolve(new Response(null, { status }));
    const refused = () => post("http://receiver.example", {}, { send });
    await assertRejects(refused, OutletError, `The receiver answered with ${what}`);
  }
});

Deno.test("post: a receiver that does not answer is given up", async () => {
  const send = (_: string, { signal }: RequestInit) =>
    new Promise<Response>((_, reject) =>
      signal!.addEventListener("abort", () => reject(signal!.reason))
    );
  await assertRejects(
    () => post("http://receiver.example", {}, { send, timeoutMs: 5 }),
    OutletError,
    "The receiver did not answer within 0.005 s",
  );
});

Deno.test("post: an accepted message is not sent again", async () => {
  const body = () => new ReadableStream({ start: (parts) => parts.enqueue(new Uint8Array(1)) });
  await withReceiver(
    ({ path }) => new Response(body(), { status: path === "/taken" ? 200 : 500 }),
    async (origin) => {
      await post(`${origin}/taken`, { method: "POST" }, { timeoutMs: 100 });
      const refused = () => post(`${origin}/refused`, { method: "POST" }, { timeoutMs: 100 });
      await assertRejects(refused, OutletError, "The receiver answered with status 500");
    },
  );
});

Deno.test("post: one that is away is reported without its address", async () => {
  const error: OutletError = await assertRejects(
    () => post("http://127.0.0.1:1/?key=secret", {}),
    OutletError,
  );
  assertEquals(error.message, "The receiver could not be reached: port not allowed");
  assertEquals(JSON.stringify([error.message, error.stack]).includes("secret"), false);
});

Deno.test("post: no more of an answer is read than is allowed", async () => {
  let bytes = 0;
  let isCancelled = false;
  const body = new ReadableStream({
    pull(controller) {
      bytes += 8192;
      controller.enqueue(new Uint8Array(8192));
    },
    cancel: () => void (isCancelled = true),
  });
  await post("http://receiver.example", {}, { send: () => Promise.resolve(new Response(body)) });
  assertEquals(isCancelled, true);
  assertEquals(bytes <= 64 * 1024 + 3 * 8192, true);
});
