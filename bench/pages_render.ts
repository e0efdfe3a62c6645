/** The console's page of 100 file sets, compared with a bare Fresh page with the same markup. */
import { fresh } from "fresh/vite";
import { createBuilder } from "vite";
import config from "../fresh.config.ts";
import type { Figure } from "./bench.ts";
import { requestsPerSecond, startServing } from "./load.ts";
import { inPairs } from "./pairs.ts";
import { signIn } from "./sign_in.ts";

const TOKEN = "token-of-the-benchmark";

export default async function renderedPages(): Promise<Figure[]> {
  const root = new URL("bare_fresh", import.meta.url).pathname;
  const nitro = { ...config.nitro, rootDir: root, entry: `${root}/entry.ts` };
  // Plain Fresh, without what Docket adds to the build.
  const plugins = [fresh()];
  const builder = await createBuilder({ ...config, plugins, root, nitro } as typeof config);
  await builder.buildApp();

  const folder = await Deno.makeTempDir();
  const app = await startServing(["main.ts"], {
    PORT: "0",
    DATA_DIR: folder,
    SERVICE_TOKEN: TOKEN,
    LOG_LEVEL: "error",
  });
  const bare = await startServing(["bench/bare_fresh/serve.ts"]);
  try {
    const cookie = await signIn(app.origin, TOKEN);
    const ours = { url: `${app.origin}/filesets`, init: { headers: { cookie } } };
    const theirs = { url: `${bare.origin}/` };
    const { measured, baseline, ratio } = await inPairs(
      () => requestsPerSecond(ours),
      () => requestsPerSecond(theirs),
    );
    return [{
      what: "console, a page of 100 file sets, against a bare Fresh page with the same markup",
      measured: `${measured.toFixed(0)} requests/s`,
      baseline: `${baseline.toFixed(0)} requests/s`,
      ratio,
      target: "≥ 1.2",
    }];
  } finally {
    await bare.stop();
    await app.stop();
    await Deno.remove(folder, { recursive: true });
  }
}
