/** The console's page of 100 file sets, compared with a bare Fresh page with the same markup. */
import { fresh } from "fresh/vite";
import { createBuilder } from "vite";
import config from "../fresh.config.ts";
import { type Figure, withFolder } from "./bench.ts";
import { startApp, startServing, TOKEN } from "./load.ts";
import { ratesOf } from "./pairs.ts";
import { signIn } from "./sign_in.ts";

export default async function renderedPages(): Promise<Figure[]> {
  const root = new URL("bare_fresh", import.meta.url).pathname;
  const nitro = { ...config.nitro, rootDir: root, entry: `${root}/entry.ts` };
  // Plain Fresh, without what Docket adds to the build.
  const plugins = [fresh()];
  const builder = await createBuilder({ ...config, plugins, root, nitro } as typeof config);
  await builder.buildApp();

  return await withFolder(async (folder) => {
    const app = await startApp(folder);
    const bare = await startServing(["bench/bare_fresh/serve.ts"]);
    try {
      const cookie = await signIn(app.origin, TOKEN);
      const ours = { url: `${app.origin}/filesets`, init: { headers: { cookie } } };
      const what =
        "console, a page of 100 file sets, against a bare Fresh page with the same markup";
      return [await ratesOf(what, [ours, { url: `${bare.origin}/` }], "≥ 1.2")];
    } finally {
      await bare.stop();
      await app.stop();
    }
  });
}
