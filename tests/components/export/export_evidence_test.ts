import { assertEquals } from "@std/assert";
import { exportEvidence } from "../../../components/export/export_evidence.ts";
import { withBrowserPage } from "../browser_page.ts";

const PAUSES = " of evidence received; pauses to read every row again";

Deno.test("exportEvidence: reports progress, saves only complete packs, and can be stopped", () =>
  withBrowserPage("", async (page) => {
    const cancelled = Promise.withResolvers<void>();
    const headers = { "content-disposition": 'attachment; filename="evidence-1.zip"' };
    const bodies: Record<string, () => Response> = {
      "/whole": () => new Response(new Uint8Array(2000), { headers }),
      "/cut": () =>
        new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(new Uint8Array(9)),
            pull: (controller) => controller.error(new Error("away")),
          }, { highWaterMark: 0 }),
          { headers },
        ),
      "/slow": () =>
        new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(new Uint8Array(7)),
            cancel: () => cancelled.resolve(),
          }),
          { headers },
        ),
      "/refused": () =>
        Response.json({ title: "Not now", detail: "Signing needs a database" }, { status: 503 }),
      "/signed-out": () => new Response("<html>"),
    };
    const server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {}, onError: () => new Response() },
      ({ url }) => bodies[new URL(url).pathname](),
    );
    const origin = `http://127.0.0.1:${server.addr.port}`;
    const said: string[] = [];
    const stopping = new AbortController();
    const run = async (path: string) => {
      const { message, failed } = await exportEvidence(origin + path, {
        signal: stopping.signal,
        onProgress(text) {
          said.push(text);
          if (text.includes("7 bytes")) stopping.abort();
        },
      });
      return `${failed ? "failed: " : ""}${message}`;
    };
    assertEquals(await run("/whole"), "Saved evidence-1.zip.");
    assertEquals([said[0], said.at(-1)], [
      `0 bytes${PAUSES}`,
      `2.0 KB${PAUSES}`,
    ]);
    assertEquals(page.saved.map(({ name, blob }) => [name, blob.size]), [["evidence-1.zip", 2000]]);
    assertEquals(
      await run("/cut"),
      "failed: The evidence download was interrupted. Try again.",
    );
    assertEquals(
      await run("/refused"),
      "failed: No evidence was created. Signing needs a database.",
    );
    assertEquals(await run("/signed-out"), "failed: No evidence was created. Reload the page.");
    assertEquals(await run("/slow"), "Stopped. No evidence was saved.");
    await cancelled.promise;
    assertEquals(page.saved.length, 1);
    await server.shutdown();
  }));
