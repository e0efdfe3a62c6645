import { assertEquals, assertMatch } from "@std/assert";
import { h } from "preact";
import { useExport } from "../../../components/export/use_export.tsx";
import { type ExportFormat, exportRows } from "../../../components/export/export_rows.ts";
import { createClient } from "../../../lib/client/client.ts";
import { makeFileSets } from "../../../lib/testing/make_rows.ts";
import { createTestService, type TestServiceOptions } from "../../../lib/testing/service.ts";
import type { FileSet, FileSetPage } from "../../../lib/types.ts";
import { hurryTimers } from "../../hurry_timers.ts";
import { htmlOf } from "../rendered.ts";

const TODAY = new Date().toISOString().slice(0, 10);

/** Exports from a service, 500 rows a page; what is said on the way, and at the end; what is saved. */
async function withExport(
  options: TestServiceOptions,
  test: (
    run: (
      format: ExportFormat,
      source?: Partial<Parameters<typeof exportRows<FileSetPage, FileSet>>[0]>,
      signal?: AbortSignal,
    ) => Promise<string[]>,
    saved: readonly { name: string; blob: Blob }[],
  ) => Promise<void>,
): Promise<void> {
  const { fetch } = createTestService(options);
  const baseUrl = "https://service.example";
  const client = createClient({ baseUrl, token: "t", fetch, attempts: 1 });
  const saved: { name: string; blob: Blob }[] = [];
  const { createObjectURL } = URL;
  let blob = new Blob();
  URL.createObjectURL = (saving) => {
    blob = saving as Blob;
    return createObjectURL(saving);
  };
  // In place of a browser, which saves what a link with a name leads to.
  const createElement = () => ({
    download: "",
    click(this: { download: string }) {
      saved.push({ name: this.download, blob });
    },
  });
  Object.assign(globalThis, { document: { createElement } });
  try {
    await test(async (format, source, signal = new AbortController().signal) => {
      const said: string[] = [];
      const search = client.fileSets.search({}, { limit: 500, signal });
      const { message, failed } = await exportRows(
        { subject: "file-sets", search, columns: ["id", "fileCount"], ...source },
        format,
        { signal, onProgress: (text) => said.push(text) },
      );
      return [...said, `${failed ? "failed: " : ""}${message}`];
    }, saved);
  } finally {
    await nextTask();
    Object.assign(URL, { createObjectURL });
    Reflect.deleteProperty(globalThis, "document");
  }
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("exportRows: writes all rows in each format, and reports progress", () =>
  withExport({ fileSets: makeFileSets(1200) }, async (run, saved) => {
    assertEquals(await run("csv"), [
      "500 of 1,200 rows",
      "1,000 of 1,200 rows",
      `Saved all 1,200 rows to file-sets-${TODAY}.csv.`,
    ]);
    await run("ndjson");
    await run("json");
    assertEquals(saved.map(({ name, blob }) => [name.split(".")[1], blob.type]), [
      ["csv", "text/csv; charset=utf-8"],
      ["ndjson", "application/x-ndjson"],
      ["json", "application/json"],
    ]);
    // What each format writes, the downloads of the server show.
    const [csv, ndjson, json] = await Promise.all(saved.map(({ blob }) => blob.text()));
    const lines = [csv, ndjson].map((text) => text.trim().split("\n").length);
    assertEquals([...lines, JSON.parse(json).length], [1201, 1200, 1200]);
    // Excel knows UTF-8 by this mark, which `text` leaves out.
    assertEquals([...(await saved[0].blob.bytes()).slice(0, 3)], [0xef, 0xbb, 0xbf]);
  }));

Deno.test("exportRows: writes only selected rows, as `select` returns them", () =>
  withExport({ fileSets: makeFileSets(5) }, async (run, saved) => {
    const [first] = makeFileSets(1);
    const select = (row: FileSet) => row.id === first.id ? { ...row, fileCount: 7 } : null;
    assertEquals(await run("csv", { select }), [`Saved 1 row to file-sets-${TODAY}.csv.`]);
    assertEquals(await saved[0].blob.text(), `id,fileCount\r\n${first.id},7\r\n`);
    await run("json", { select: () => null });
    assertEquals(await saved[1].blob.text(), "[]\n");
  }));

Deno.test("exportRows: if rows changed meanwhile, says so in the message and the file's name", () =>
  withExport({
    fileSets: makeFileSets(1200),
    change: (service, { index }) => {
      if (index === 1) service.fileSets.splice(0, 1);
    },
  }, async (run, saved) => {
    const words =
      /^failed: Saved 1,\d+ rows to file-sets-.{10}-incomplete\.csv\. The service's answers/;
    assertMatch((await run("csv")).at(-1)!, words);
    assertEquals(saved.length, 1);
  }));

Deno.test("exportRows: waits as long as the service asks, then resumes", () =>
  withExport({
    fileSets: makeFileSets(600),
    faults: [undefined, { kind: "status", status: 429, retryAfter: "3600" }],
  }, async (run, saved) => {
    using _ = hurryTimers(3_600_000);
    assertEquals(await run("ndjson"), [
      "500 of 600 rows",
      "500 rows; service busy, resuming in 3600 s",
      `Saved all 600 rows to file-sets-${TODAY}.ndjson.`,
    ]);
    assertEquals((await saved[0].blob.text()).trim().split("\n").length, 600);
  }));

Deno.test("exportRows: saves nothing after an error, a pause that is too long, or a stop", () =>
  withExport({
    fileSets: makeFileSets(600),
    faults: [
      { kind: "status", status: 500 },
      { kind: "status", status: 503, retryAfter: "3601" },
      { kind: "stall", at: "headers" },
    ],
  }, async (run, saved) => {
    const failed = "failed: Export failed. The request to search file sets failed: status";
    assertEquals(await run("csv"), [`${failed} 500.`]);
    assertEquals(await run("csv"), [`${failed} 503.`]);
    const cancel = new AbortController();
    const stopped = run("csv", {}, cancel.signal);
    await nextTask();
    cancel.abort();
    assertEquals(await stopped, ["Export stopped. No file was saved."]);
    assertEquals(saved, []);
  }));

Deno.test("useExport: runs one at a time, shows progress, can be stopped", async () => {
  const formats: string[] = [];
  let exports!: ReturnType<typeof useExport>;
  const run: Parameters<typeof useExport>[0] = (format, { signal, onProgress }) => {
    formats.push(format);
    assertEquals(exports.state.value, { running: true, message: "", failed: false });
    if (format === "lost") return Promise.reject(new TypeError("Failed to fetch"));
    onProgress("500 rows");
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve({ message: "Stopped", failed: true }));
    });
  };
  htmlOf(h(() => (exports = useExport(run), null), {}));
  const { state, start, stop } = exports;
  stop();
  const first = start("csv");
  assertEquals(state.value, { running: true, message: "500 rows", failed: false });
  await start("json");
  assertEquals(formats, ["csv"]);
  stop();
  await first;
  assertEquals(state.value, { running: false, message: "Stopped", failed: true });
  // Its code could not be loaded.
  await start("lost");
  const message = "The export could not be loaded. Reload the page and try again.";
  assertEquals(state.value, { running: false, message, failed: true });
});
