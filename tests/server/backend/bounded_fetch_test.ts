import { assertEquals, assertRejects } from "@std/assert";
import { boundedFetch } from "../../../server/backend/upstream.ts";
import { answering, type Behaviour, chunk, withUpstream } from "../../upstream.ts";

/** A good answer in chunks. */
function inChunks(...texts: readonly string[]): Behaviour {
  return async (_asked, { send }) => {
    await send("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n");
    for (const text of texts) await send(chunk(text));
    await send("0\r\n\r\n");
  };
}

Deno.test("boundedFetch: an answer at the limit is complete, one byte more is refused", () =>
  withUpstream(async (upstream) => {
    const textWithin = async (most: number) =>
      await (await boundedFetch(most)(upstream.baseUrl, {})).text();
    const text = "x".repeat(200_000);
    upstream.behave(inChunks(text.slice(0, 7), text.slice(7)));
    assertEquals(await textWithin(text.length), text);
    await assertRejects(() => textWithin(text.length - 1));
    upstream.behave(inChunks());
    assertEquals(await textWithin(0), "");
    // Errors are left as they are.
    upstream.behave(answering(500, {}, "broken"));
    assertEquals(await textWithin(0), "broken");
  }));

Deno.test("boundedFetch: a small chunk holds no more memory than its bytes", () =>
  withUpstream(async (upstream) => {
    upstream.behave(inChunks(...Array<string>(50).fill("x")));
    const { body } = await boundedFetch(1_000_000)(upstream.baseUrl, {});
    for await (const chunk of body!) assertEquals(chunk.buffer.byteLength, chunk.byteLength);
  }));
