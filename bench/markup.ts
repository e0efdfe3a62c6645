/** The console's page of 100 file sets, compared with a bare Fresh page with the same markup. */
import { fresh } from "fresh/vite";
import { createBuilder } from "vite";
import config from "../fresh.config.ts";
import { withFolder } from "../tests/with_folder.ts";
import { atLeast, type Bench, median } from "./bench.ts";
import { type Rates, ratesOf, startApp, startServing, TOKEN } from "./load.ts";
import { signIn } from "./sign_in.ts";

/** The lowest share of the bare page's requests per second. */
const BUDGET = 0.5;
const STARTS = 7;

const bench: Bench = async () => {
  const root = new URL("bare_fresh", import.meta.url).pathname;
  const nitro = { ...config.nitro, rootDir: root, entry: `${root}/entry.ts` };
  // Plain Fresh, without what Docket adds to the build.
  const plugins = [fresh()];
  const builder = await createBuilder({ ...config, plugins, root, nitro } as typeof config);
  await builder.buildApp();

  return await withFolder(async (folder) => {
    const starts: Rates[] = [];
    for (let start = 0; start < STARTS; start++) starts.push(await ratesOfStart(folder));
    const of = (name: keyof Rates) => median(starts.map((rates) => rates[name]));
    return [atLeast(
      "a page of 100 file sets, against a bare Fresh page with the same markup; the median of " +
        `${STARTS} starts`,
      of("ratio"),
      BUDGET,
      (times) => `${times.toFixed(2)} times`,
      `${of("measured").toFixed(0)} and ${of("baseline").toFixed(0)} requests/s`,
    )];
  });
};

/** Starts both servers, because the same server is quicker in one process than in another. */
async function ratesOfStart(folder: string): Promise<Rates> {
  const app = await startApp(folder);
  const bare = await startServing(["bench/bare_fresh/serve.ts"]);
  try {
    const cookie = await signIn(app.origin, TOKEN);
    const page = { url: `${app.origin}/filesets`, init: { headers: { cookie } } };
    return await ratesOf([page], [{ url: `${bare.origin}/` }]);
  } finally {
    await bare.stop();
    await app.stop();
  }
}

export default bench;
