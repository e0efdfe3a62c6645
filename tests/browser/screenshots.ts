/**
 * `deno task screenshots`: pictures of each page and state at 1280 and 360 px, light and dark, for
 * people to look at. They go to `screenshots/`, which is not kept. `deno task picture`: the README's.
 */
import { pathsOf } from "./page_paths.ts";
import { watchSample } from "./sample_watches.ts";
import { closeBrowser, openSignedIn, withPage } from "./visit.ts";

const FOLDER = new URL("../../screenshots/", import.meta.url);

const README = new URL("../../docs/overview.png", import.meta.url);

if (Deno.args.includes("--readme")) {
  await withPage({ isWatched: true }, async (visit) => {
    await openSignedIn(visit, "/");
    await visit.page.screenshot({ path: README.pathname });
  });
  await closeBrowser();
  Deno.exit();
}
await Deno.mkdir(FOLDER, { recursive: true });
for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1280, 360]) {
    await withPage({ colorScheme, width }, async (visit) => {
      const { page } = visit;
      const take = async (path: string) => {
        await page.goto(path);
        const name = path.replace(/^\/$/, "/today").replace(/^\/\?$/, "/first").replace(/\W+/g, "-")
          .replace(/^-|-$/g, "");
        const file = new URL(`${name}-${width}-${colorScheme}.png`, FOLDER);
        await page.screenshot({ path: file.pathname, fullPage: false });
      };
      await take("/sign-in");
      await openSignedIn(visit, "/nowhere");
      // Before anything is watched.
      await take("/?");
      await watchSample(visit.services);
      for (const path of await pathsOf(visit)) await take(path);
    });
  }
}
await closeBrowser();
console.log(`Pictures are in ${FOLDER.pathname}`);
