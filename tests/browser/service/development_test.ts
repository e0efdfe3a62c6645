import { assertEquals, assertStringIncludes } from "@std/assert";
import { TOKEN } from "../../app.ts";
import { eventually } from "../../eventually.ts";
import { freePort } from "../../free_port.ts";
import { withOutput } from "../../program.ts";
import { withPage } from "../visit.ts";

const ROOT = new URL("../../../", import.meta.url);

/** What `deno task dev` needs of the repository. */
const SOURCES = [
  ..."components islands lib public routes server".split(" "),
  ..."deno.json deno.lock dev.ts fresh.config.ts".split(" "),
];

/** How long a page may take on a busy machine: Vite first bundles what it loads. */
const SOON = { timeout: 240_000 };

/** Copies the sources into a folder where they may be edited, with all packages. */
async function copySources(folder: string): Promise<void> {
  const copy = async (flags: string, names: readonly string[]) => {
    const paths = names.map((name) => new URL(name, ROOT).pathname);
    const { success } = await new Deno.Command("cp", {
      args: [flags, ...paths, folder],
      stderr: "null",
    }).output();
    return success;
  };
  await copy("-r", SOURCES);
  // Links are quicker than copies, where both folders are on one disk.
  if (!await copy("-al", ["node_modules"])) await copy("-a", ["node_modules"]);
}

/** Runs a test with the development server; gives all that it printed. */
async function withDevelopment(
  folder: string,
  test: (origin: string) => Promise<void>,
): Promise<string> {
  const port = freePort();
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "dev.ts"],
    cwd: folder,
    env: { PORT: String(port), DATA_DIR: `${folder}/data`, SERVICE_TOKEN: TOKEN, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  return await withOutput(process, /Local:/, () => test(`http://127.0.0.1:${port}`));
}

Deno.test("[browser] dev: an island that is edited is replaced without a reload", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    await copySources(folder);
    let link = "";
    const printed = await withDevelopment(folder, async (origin) => {
      link = `${origin}/sign-in?code=`;
      // Until the sample is there, pages are a 503.
      await eventually(async () => {
        const ready = await fetch(`${origin}/preferences`);
        await ready.body?.cancel();
        assertEquals(ready.status, 200);
      });
      return await withPage({}, async ({ page }) => {
        await page.goto(`${origin}/preferences`, SOON);
        await page.getByLabel("Developer token").fill(TOKEN, SOON);
        // What is edited before the page listens is never told to it.
        const listening = page.waitForEvent("console", {
          predicate: (message) =>
            message.text() === "[vite] connected." && page.url().endsWith("/preferences"),
          ...SOON,
        });
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.getByRole("button", { name: "Use browser time zone: America/New_York" }).waitFor(
          SOON,
        );
        await listening;
        await page.evaluate("globalThis.isSameDocument = true");
        const island = `${folder}/islands/BrowserZone.tsx`;
        const code = await Deno.readTextFile(island);
        await Deno.writeTextFile(
          island,
          code.replace("Use browser time zone", "Take the browser's"),
        );
        await page.getByRole("button", { name: "Take the browser's: America/New_York" }).waitFor(
          SOON,
        );
        assertEquals(await page.evaluate("globalThis.isSameDocument"), true);
      });
    });
    assertStringIncludes(printed, `Sign in within ten minutes, once: ${link}`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
