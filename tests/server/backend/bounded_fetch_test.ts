import { assertEquals, assertRejects } from "@std/assert";
import { boundedFetch } from "../../../server/backend/upstream.ts";
import { type Behaviour, chunk, endless, withUpstream } from "../../upstream.ts";

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
    const text = "x".repeat(200_000);
    upstream.behave(inChunks(text.slice(0, 7), text.slice(7)));
    const textWithin = async (most: number) =>
      await (await boundedFetch(most)(upstream.baseUrl, {})).text();
    assertEquals(await textWithin(text.length), text);
    await assertRejects(() => textWithin(text.length - 1));
  }));

Deno.test("boundedFetch: leaves empty answers and errors as they are", () =>
  withUpstream(async (upstream) => {
    const fetch = boundedFetch(0);
    upstream.behave(inChunks());
    assertEquals(await (await fetch(upstream.baseUrl, {})).text(), "");
    upstream.behave((_asked, { send }) =>
      send("HTTP/1.1 500 Oh\r\ncontent-length: 6\r\n\r\nbroken")
    );
    assertEquals(await (await fetch(upstream.baseUrl, {})).text(), "broken");
  }));

Deno.test("boundedFetch: a small chunk holds no more memory than its bytes", () =>
  withUpstream(async (upstream) => {
    upstream.behave(inChunks(...Array<string>(50).fill("x")));
    const { body } = await boundedFetch(1_000_000)(upstream.baseUrl, {});
    for await (const chunk of body!) assertEquals(chunk.buffer.byteLength, chunk.byteLength);
  }));

Deno.test("boundedFetch: aborting rejects the answer and closes the connection", () =>
  withUpstream(async (upstream) => {
    const asked = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    upstream.behave(async (_asked, connection) => {
      await connection.send("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      await connection.send(chunk("x".repeat(1000)));
      asked.resolve();
      await connection.gone;
      gone.resolve();
    });
    const visitor = new AbortController();
    const fetch = boundedFetch(1_000_000);
    const response = await fetch(upstream.baseUrl, { signal: visitor.signal });
    const text = response.text();
    await asked.promise;
    visitor.abort(new Error("had enough"));
    await assertRejects(() => text, Error, "had enough");
    await gone.promise;
  }));

Deno.test("boundedFetch: cancelling the answer closes the connection", () =>
  withUpstream(async (upstream) => {
    const gone = Promise.withResolvers<void>();
    upstream.behave(async (asked, connection) => {
      try {
        await endless({}, new Uint8Array(1000))(asked, connection);
      } finally {
        gone.resolve();
      }
    });
    const response = await boundedFetch(Infinity)(upstream.baseUrl, {});
    await response.body!.cancel();
    await gone.promise;
  }));
