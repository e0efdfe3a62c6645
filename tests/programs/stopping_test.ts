import { assertEquals, assertStringIncludes } from "@std/assert";
import { headerFaults } from "../answer_headers.ts";
import { HEADER, SEARCH, searchRequest, signInByForm, TOKEN } from "../app.ts";
import { type Program, withProgram } from "../program.ts";
import { server } from "../server/store/postgres/shared.ts";
import { layWire } from "../server/store/database/wire.ts";
import { afterFirstPage, withUpstream } from "../upstream.ts";

/** Sends the beginning of a request, and waits until the program works on it. */
async function beginRequest(origin: string, head: string): Promise<Deno.TcpConn> {
  const { hostname, port } = new URL(origin);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const headers = `host: localhost\r\n${HEADER}: ${TOKEN}\r\n`;
  await connection.write(new TextEncoder().encode(head.replace("\n", `\n${headers}`)));
  // Answered after the one that came before it.
  await (await fetch(`${origin}/icon.svg`)).body?.cancel();
  return connection;
}

/** A search whose body never comes to its end. */
function stalledUpload({ origin }: Program): Promise<Deno.TcpConn> {
  const headers = "content-type: application/json\r\ncontent-length: 100\r\n";
  return beginRequest(origin, `POST ${SEARCH} HTTP/1.1\r\n${headers}\r\n{`);
}

/** Ends the program, which must say that it interrupted something. */
async function assertInterrupts({ end, printed }: Program, signal?: Deno.Signal): Promise<void> {
  assertEquals(await end(signal), 0);
  assertStringIncludes(printed(), "Requests were interrupted");
}

/** The program with an upload that never ends, and an export that waits for an upstream. */
function stopWithHangingUpstream(): Promise<void> {
  return withUpstream((upstream) =>
    withProgram({ SERVICE_BASE_URL: upstream.baseUrl }, async (program) => {
      const send = (path: string, init: RequestInit) => fetch(program.origin + path, init);
      const { cookie } = await signInByForm(send);
      const requested = Promise.withResolvers<void>();
      const hang = () => {
        requested.resolve();
        return new Promise<Response>(() => {});
      };
      upstream.behave(afterFirstPage(upstream, hang));
      const exporting = await send("/filesets/export?format=csv", { headers: { cookie } });
      await requested.promise;
      using _connection = await stalledUpload(program);
      // As from a terminal that closes.
      await assertInterrupts(program, "SIGHUP");
      // A file that was cut off must not look whole.
      const whole = await exporting.text().then(() => true, () => false);
      assertEquals([exporting.status, whole], [200, false]);
    })
  );
}

/** The program with a database that does not answer any more. */
async function stopWithSilentDatabase(): Promise<void> {
  await using wire = layWire(await server.createSampleDatabase());
  await withProgram({ DATABASE_URL: wire.url }, async (program) => {
    wire.silence();
    const path = "/api/content/v1/reportschedules/101/history";
    using _connection = await beginRequest(program.origin, `GET ${path} HTTP/1.1\r\n\r\n`);
    await assertInterrupts(program);
  });
}

Deno.test("[e2e] main: interrupts what hangs: an upload, an upstream, a database", async () => {
  // Side by side, since each takes its 4 seconds.
  await Promise.all([stopWithHangingUpstream(), stopWithSilentDatabase()]);
});

Deno.test("[e2e] main: a second signal ends it at once", () =>
  withProgram({}, async (program) => {
    using _connection = await stalledUpload(program);
    program.process.kill("SIGTERM");
    // Had it waited for the upload until its time was over, the code would be 0.
    assertEquals(await program.end("SIGINT"), 1);
  }));

Deno.test("[e2e] main: ending, it answers what is in flight and health checks, and nothing new", () =>
  withProgram({}, async ({ origin, end }) => {
    const { readable, writable } = new TextEncoderStream();
    const body = writable.getWriter();
    const answer = fetch(searchRequest(origin, "?limit=1", readable));
    await body.write("{");
    const ask = async (path: string) => {
      const response = await fetch(origin + path);
      return { response, text: await response.text() };
    };
    // The request is in flight once the server answers another one that came after it.
    await ask("/icon.svg");
    const ended = end();
    let late: Awaited<ReturnType<typeof ask>>;
    do late = await ask("/api/openapi.json"); while (late.response.status === 200);
    const { status, headers } = late.response;
    const named = ["retry-after", "content-type", "connection"].map((name) => headers.get(name));
    assertEquals([status, ...named], [503, "5", "application/problem+json", "close"]);
    assertEquals(headerFaults(late.response), []);
    assertEquals((await ask("/filesets")).text, "Docket is stopping");
    assertEquals((await ask("/healthz")).response.status, 200);
    await body.write("}");
    await body.close();
    const response = await answer;
    assertEquals([response.status, (await response.json()).pageContext.total], [200, 5000]);
    assertEquals(await ended, 0);
  }));
