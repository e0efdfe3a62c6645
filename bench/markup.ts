/** The console's page of 100 file sets, compared with a bare Fresh page with the same markup. */
import { fresh } from "fresh/vite";
import { createBuilder } from "vite";
import config from "../fresh.config.ts";
import { atLeast, type Bench, withFolder } from "./bench.ts";
import { ratesOf, startApp, startServing, TOKEN } from "./load.ts";
import { signIn } from "./sign_in.ts";

/** The lowest share of the bare page's requests per second. */
const BUDGET = 0.9;

const bench: Bench = async () => {
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
      const page = { url: `${app.origin}/filesets`, init: { headers: { cookie } } };
      const { measured, baseline, ratio } = await ratesOf([page], [{ url: `${bare.origin}/` }]);
      return [atLeast(
        "a page of 100 file sets, against a bare Fresh page with the same markup",
        ratio,
        BUDGET,
        (times) => `${times.toFixed(2)} times`,
        `${measured.toFixed(0)} and ${baseline.toFixed(0)} requests/s`,
      )];
    } finally {
      await bare.stop();
      await app.stop();
    }
  });
};

export default bench;
