import { assert, assertEquals } from "@std/assert";
import { HEADER, HISTORY, TOKEN, withApp, withServer } from "../app.ts";

Deno.test("[e2e] GET history: is not sent again while it is the same", () =>
  withApp({}, async ({ fetch, services }) => {
    const get = (headers: Record<string, string> = {}) =>
      fetch(
        new Request(`http://localhost:8000${HISTORY}`, {
          headers: { [HEADER]: TOKEN, ...headers },
        }),
      );
    const first = await get();
    assertEquals((await first.json()).length, 100);
    const etag = first.headers.get("etag")!;
    const second = await get({ "if-none-match": etag });
    assertEquals([second.status, await second.text()], [304, ""]);
    const [run] = await services.store!.reportSchedules.history(102, { limit: 1 });
    await services.store!.put({
      runs: [{ scheduleId: 101, run: { ...run, endTime: undefined } as never }],
    });
    const third = await get({ "if-none-match": etag });
    assertEquals([third.status, (await third.json()).length], [200, 100]);
  }));

Deno.test("[e2e] API: answers are compressed for who reads gzip, and the same for others", () =>
  withServer({}, async ({ origin }) => {
    const lengths: number[] = [];
    const texts: string[] = [];
    for (const encoding of ["identity", "gzip"]) {
      // A bare connection: fetch would unpack what it gets.
      const answer = await ask(
        origin,
        `GET ${HISTORY} HTTP/1.1\r\n${HEADER}: ${TOKEN}\r\n` +
          `Accept-Encoding: ${encoding}\r\nConnection: close\r\nHost: localhost\r\n\r\n`,
      );
      lengths.push(answer.length);
      const init = { headers: { [HEADER]: TOKEN, "accept-encoding": encoding } };
      texts.push(await (await fetch(origin + HISTORY, init)).text());
    }
    assert(lengths[1] < lengths[0] / 3, `${lengths}`);
    assertEquals(texts[0], texts[1]);
  }));

async function ask(origin: string, request: string): Promise<Uint8Array> {
  const { hostname, port } = new URL(origin);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  await connection.write(new TextEncoder().encode(request));
  const parts: Uint8Array[] = [];
  const buffer = new Uint8Array(65_536);
  for (let count; (count = await connection.read(buffer)) !== null;) {
    parts.push(buffer.slice(0, count));
  }
  return new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}
