/** The sizes of what a browser loads, and of the client alone. */
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import chromium from "@sparticuz/chromium";
import { chromium as playwright } from "playwright-core";
import { build } from "vite";
import { withFolder } from "../tests/with_folder.ts";
import { atMost, type Bench, type Figure } from "./bench.ts";
import { consolePages } from "./console_pages.ts";
import { send, startApp, TOKEN } from "./load.ts";
import { signIn } from "./sign_in.ts";
import { watchSample } from "./watched.ts";

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;

const bench: Bench = async () => [...await pageSizes(), await clientSize()];

export default bench;

function pageSizes(): Promise<Figure[]> {
  return withFolder(async (folder) => {
    await watchSample(folder);
    const app = await startApp(folder);
    const browser = await playwright.launch({
      executablePath: await chromium.executablePath(),
      args: ["--no-sandbox", "--headless=shell", "--disable-gpu"],
    });
    try {
      const cookie = await signIn(app.origin, TOKEN);
      const html = async (path: string) =>
        (await send({ url: app.origin + path, init: { headers: { cookie } } })).length;
      const page = await browser.newPage({ baseURL: app.origin, extraHTTPHeaders: { cookie } });
      const most = { js: 0, css: 0 };
      for (const path of await consolePages(app.origin)) {
        const loaded = new Set<string>();
        page.on("request", (request) => loaded.add(request.url()));
        await page.goto(path, { waitUntil: "networkidle" });
        page.removeAllListeners("request");
        for (const kind of ["js", "css"] as const) {
          let size = 0;
          for (const url of loaded) {
            if (url.endsWith(`.${kind}`)) size += gzipSync(await send({ url })).length;
          }
          most[kind] = Math.max(most[kind], size);
        }
      }
      return [
        atMost("HTML of a page of 100 file sets", await html("/filesets"), 90_000, kilobytes),
        atMost("HTML of a schedule's page", await html("/schedules/102"), 80_000, kilobytes),
        atMost("JavaScript of the largest page, gzip", most.js, 25_000, kilobytes),
        atMost("CSS of the largest page, gzip", most.css, 14_000, kilobytes),
      ];
    } finally {
      await browser.close();
      await app.stop();
    }
  });
}

/** The client in a bundle, without the unused parts of `lib`. */
async function clientSize(): Promise<Figure> {
  const entry = "\0client";
  const lib = fileURLToPath(new URL("../lib/mod.ts", import.meta.url));
  const built = await build({
    configFile: false,
    logLevel: "error",
    plugins: [{
      name: "client-alone",
      resolveId: (id: string) => id === entry ? id : undefined,
      load: (id: string) =>
        id === entry
          ? `export { createClient, isDocketError } from ${JSON.stringify(lib)};`
          : undefined,
    }],
    build: {
      write: false,
      minify: true,
      target: "esnext",
      rollupOptions: { input: entry, preserveEntrySignatures: "strict" },
    },
  });
  const bundle = (Array.isArray(built) ? built[0] : built) as unknown as {
    readonly output: readonly [{ readonly code: string }];
  };
  const { length } = gzipSync(bundle.output[0].code);
  return atMost("the client alone, minified, gzip", length, 11_000, kilobytes);
}
